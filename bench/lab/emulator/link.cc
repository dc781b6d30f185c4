#include "link.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <unistd.h>

namespace {

constexpr double kMicrosecond = 1000;
/// Average delay of waking up for a packet's arrival and for its delivery.
constexpr double kWakeUp = 100 * kMicrosecond;
/// Segments that leave the bottleneck within this time stay one frame.
constexpr Nanoseconds kJoined = 500'000;
constexpr Nanoseconds kDrift = 10'000'000;
constexpr Nanoseconds kTardy = 1'000'000;

} // namespace

double Random::next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    const auto drawn = state_ * 2685821657736338717U;
    return (static_cast<double>(drawn >> 11) + 0.5) / 9007199254740992.0;
}

bool LinkOptions::set(const std::string &name, double value) {
    static const std::map<std::string, double LinkOptions::*> fields = {
        {"delay_us", &LinkOptions::delay_us},
        {"jitter_us", &LinkOptions::jitter_us},
        {"rate_bits", &LinkOptions::rate_bits},
        {"queue_bytes", &LinkOptions::queue_bytes},
        {"loss", &LinkOptions::loss},
        {"loss_burst", &LinkOptions::loss_burst},
        {"late", &LinkOptions::late},
        {"late_least_us", &LinkOptions::late_least_us},
        {"late_most_us", &LinkOptions::late_most_us},
    };
    const auto field = fields.find(name);
    if (field == fields.end()) {
        return false;
    }
    this->*field->second = value;
    return true;
}

void Link::configure(const LinkOptions &options) {
    options_ = options;
    draw_next_loss();
}

bool Link::passes_bottleneck(std::size_t bytes, Nanoseconds now, Nanoseconds &out) {
    if (options_.rate_bits <= 0) {
        return true;
    }
    const auto bytes_per_ns = options_.rate_bits / 8e9;
    const auto busy = std::max<Nanoseconds>(free_at_ - now, 0);
    if (static_cast<double>(busy) * bytes_per_ns + static_cast<double>(bytes) >
        options_.queue_bytes) {
        ++figures_.overflowed;
        return false;
    }
    free_at_ = now + busy + static_cast<Nanoseconds>(static_cast<double>(bytes) / bytes_per_ns);
    out = free_at_;
    return true;
}

void Link::draw_next_loss() {
    const auto begins = options_.loss / std::max(options_.loss_burst, 1.0);
    if (begins <= 0) {
        until_loss_ = UINT64_MAX;
    } else if (begins >= 1) {
        until_loss_ = 0;
    } else {
        const auto skipped = std::floor(std::log(random_.next()) / std::log1p(-begins));
        until_loss_ = static_cast<std::uint64_t>(std::min(skipped, 1e15));
    }
}

bool Link::is_lost() {
    if (losing_ == 0) {
        if (until_loss_ == UINT64_MAX || until_loss_-- > 0) {
            return false;
        }
        losing_ = static_cast<std::uint64_t>(std::max(options_.loss_burst, 1.0));
        draw_next_loss();
    }
    --losing_;
    ++figures_.lost;
    return true;
}

Nanoseconds Link::jitter(Nanoseconds now) {
    if (options_.jitter_us <= 0) {
        return 0;
    }
    const auto most = options_.jitter_us * kMicrosecond;
    const auto draw = [&] { return (2 * random_.next() - 1) * most; };
    if (now >= drift_ends_ + 100 * kDrift) {
        drift_ends_ = now;
        drift_to_ = draw();
    }
    while (now >= drift_ends_) {
        drift_begins_ = std::exchange(drift_ends_, drift_ends_ + kDrift);
        drift_from_ = std::exchange(drift_to_, draw());
    }
    const auto part =
        static_cast<double>(now - drift_begins_) / static_cast<double>(drift_ends_ - drift_begins_);
    return static_cast<Nanoseconds>(drift_from_ + (drift_to_ - drift_from_) * part);
}

void Link::admit(const FrameView &frame, Nanoseconds now) {
    const auto segments = frame.segments();
    Nanoseconds out = now;
    Nanoseconds first_out = now;
    Nanoseconds last_out = now;
    std::size_t begin = 0;
    // Segments [begin, end) survived and leave together.
    const auto flush = [&](std::size_t end) {
        if (begin < end) {
            enqueue(frame.slice(begin, end), end - begin, last_out, 0);
        }
    };
    for (std::size_t index = 0; index < segments; ++index) {
        const auto bytes = frame.segment_bytes(index);
        ++figures_.packets;
        figures_.bytes += bytes;
        if (!passes_bottleneck(bytes, now, out) || is_lost()) {
            flush(index);
            begin = index + 1;
            continue;
        }
        if (options_.late > 0 && random_.next() < options_.late) {
            flush(index);
            begin = index + 1;
            const auto spread = options_.late_most_us - options_.late_least_us;
            const auto lateness = options_.late_least_us + random_.next() * spread;
            enqueue(frame.slice(index, index + 1), 1, out,
                    static_cast<Nanoseconds>(lateness * kMicrosecond));
            continue;
        }
        if (begin < index && out - first_out > kJoined) {
            flush(index);
            begin = index;
        }
        if (begin == index) {
            first_out = out;
        }
        last_out = out;
    }
    flush(segments);
}

void Link::enqueue(Frame frame, std::size_t segments, Nanoseconds out, Nanoseconds lateness) {
    const auto delay = options_.delay_us * kMicrosecond;
    const auto compensated = delay - std::min(kWakeUp, delay * 0.6);
    auto due = out + static_cast<Nanoseconds>(compensated) + jitter(out);
    if (lateness == 0) {
        due = last_due_ = std::max(due, last_due_);
    } else {
        due += lateness;
    }
    waiting_.push_back({due, number_++, segments, std::move(frame)});
    std::ranges::push_heap(waiting_, is_later);
}

bool Link::is_later(const Waiting &a, const Waiting &b) {
    return a.due != b.due ? a.due > b.due : a.number > b.number;
}

Nanoseconds Link::deliver(int device, Nanoseconds now) {
    while (!waiting_.empty()) {
        const auto &next = waiting_.front();
        if (next.due > now) {
            return next.due;
        }
        // A full device queue drops the packet, as a full router does.
        (void)!write(device, next.frame.data(), next.frame.size());
        figures_.tardy += now - next.due > kTardy ? next.segments : 0;
        std::ranges::pop_heap(waiting_, is_later);
        waiting_.pop_back();
    }
    return kNever;
}
