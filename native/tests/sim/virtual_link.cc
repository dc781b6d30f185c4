#include "sim/virtual_link.h"

#include <algorithm>
#include <cmath>

namespace thru::sim {

namespace {

constexpr Timestamp kWanderPeriod = 10 * kMillisecond;

/// The path of one end: sends each datagram by the line of its way.
class Fork final : public DatagramPath {
public:
    Fork(VirtualLink &first, VirtualLink *second) : first_(first), second_(second) {}
    Sent send(ByteView bytes, std::size_t segment_bytes, const PathId &path_id) override {
        auto &line = path_id.local == 1 && second_ != nullptr ? *second_ : first_;
        return line.send(bytes, segment_bytes, path_id);
    }

private:
    VirtualLink &first_;
    VirtualLink *second_;
};

} // namespace

LinkConfig link_of(double round_trip_ms, double megabits, double queue) {
    const auto rate = megabits * 125'000;
    return {.one_way_delay = static_cast<Timestamp>(round_trip_ms / 2 * 1e6),
            .rate = rate,
            .queue = static_cast<std::size_t>(rate * round_trip_ms / 1000 * queue)};
}

DatagramPath::Sent VirtualLink::send(ByteView bytes, std::size_t segment_bytes,
                                     const PathId &path_id) {
    Sent sent{.bytes = bytes.size(), .in_stream = in_stream_};
    ++calls_;
    while (!bytes.empty()) {
        const auto datagram = bytes.first(std::min(segment_bytes, bytes.size()));
        bytes = bytes.subspan(datagram.size());
        bytes_sent_ += datagram.size();
        if (datagram.size() > largest_) {
            sent.too_large = refuses_;
            continue;
        }
        const auto starts = std::max(now_, queue_->free_at);
        const auto waiting = static_cast<double>(starts - now_) / 1e9 * config_.rate;
        if (waiting + static_cast<double>(datagram.size()) > static_cast<double>(config_.queue)) {
            continue;
        }
        const auto on_wire = static_cast<double>(datagram.size()) / config_.rate * 1e9;
        queue_->free_at = starts + static_cast<Timestamp>(on_wire);
        if (!loses() && path_id.remote == destination_) {
            const auto passed = config_.polices ? now_ : queue_->free_at;
            const auto leaves = wandering(after_its_turn(passed)) + held_back();
            const auto fate = fate_ ? fate_(sent_) : std::vector<Timestamp>{0};
            for (const auto delay : fate) {
                fly(datagram, leaves + config_.one_way_delay + delay);
            }
        }
        ++sent_;
    }
    return sent;
}

bool VirtualLink::loses() {
    std::uniform_real_distribution<double> chance(0, 1);
    bool lost = chance(random_) < config_.loss;
    if (config_.burst_begins > 0) {
        in_burst_ =
            chance(random_) < (in_burst_ ? 1 - 1 / config_.burst_length : config_.burst_begins);
        lost = lost || in_burst_;
    }
    return lost;
}

Timestamp VirtualLink::held_back() {
    std::uniform_real_distribution<double> chance(0, 1);
    if (config_.held == 0 || chance(random_) >= config_.held) {
        return 0;
    }
    const auto span = static_cast<double>(config_.held_max - config_.held_min);
    return config_.held_min + static_cast<Timestamp>(chance(random_) * span);
}

Timestamp VirtualLink::after_its_turn(Timestamp leaves) {
    std::uniform_real_distribution<double> chance(0, 1);
    while (config_.turn_every > 0 && leaves >= turn_ends_) {
        const auto apart = -std::log(1 - chance(random_)) * static_cast<double>(config_.turn_every);
        turn_begins_ = std::max(turn_ends_, kSecond) + static_cast<Timestamp>(apart);
        const auto lasts = chance(random_) * static_cast<double>(config_.turn_max);
        turn_ends_ = turn_begins_ + static_cast<Timestamp>(lasts);
    }
    return leaves < turn_begins_ ? leaves : std::max(leaves, turn_ends_);
}

Timestamp VirtualLink::wandering(Timestamp leaves) {
    if (config_.wander_max == 0) {
        return leaves;
    }
    std::uniform_real_distribution<double> delay(0, static_cast<double>(config_.wander_max));
    while (leaves >= wander_ends_) {
        wander_ends_ = std::max(wander_ends_, leaves - kWanderPeriod) + kWanderPeriod;
        wander_ = {wander_[1], delay(random_)};
    }
    const auto left = static_cast<double>(wander_ends_ - leaves) / kWanderPeriod;
    const auto moved = wander_[1] + (wander_[0] - wander_[1]) * left;
    last_arrival_ = std::max(last_arrival_, leaves + static_cast<Timestamp>(moved));
    return last_arrival_;
}

void VirtualLink::set_rate(double rate) {
    const auto left = static_cast<double>(waiting()) * config_.rate / rate;
    queue_->free_at = now_ + static_cast<Timestamp>(left);
    config_.rate = rate;
}

void VirtualLink::fly(ByteView datagram, Timestamp arrives) {
    flying_.emplace(arrives, Datagram{Bytes(datagram.begin(), datagram.end()), source_});
}

void VirtualLink::deliver(Connection &to) {
    while (next_arrival() <= now_) {
        const auto datagram = std::move(flying_.extract(flying_.begin()).mapped());
        to.on_datagrams(datagram.bytes, datagram.bytes.size(), now_,
                        PathId{.local = number_, .remote = datagram.from});
    }
}

Pair::Pair(const LinkConfig &config, ConnectionListener &sender, ConnectionListener &receiver,
           const Fingerprint &sender_expects, const Fingerprint &receiver_expects)
    : sender_identity_(*Identity::create()), receiver_identity_(*Identity::create()),
      to_receiver_(config, now_), to_sender_(config, now_),
      sender_(Connection::server(*sender_identity_.server_context(sender_expects), {}, sender)),
      receiver_(*Connection::client(*receiver_identity_.client_context(receiver_expects), {},
                                    receiver, now_)) {}

Pair::Pair(const LinkConfig &config, ConnectionListener &sender, ConnectionListener &receiver,
           const ConnectionSettings &settings, Timestamp begins)
    : now_(begins), random_(config.seed), sender_identity_(*Identity::create()),
      receiver_identity_(*Identity::create()), to_receiver_(config, now_), to_sender_(config, now_),
      sender_(Connection::server(*sender_identity_.server_context(receiver_identity_.fingerprint()),
                                 drawing(settings), sender)),
      receiver_(
          *Connection::client(*receiver_identity_.client_context(sender_identity_.fingerprint()),
                              drawing(settings), receiver, now_)) {}

ConnectionSettings Pair::drawing(ConnectionSettings settings) {
    settings.draw = [this](MutableByteView bytes) {
        std::ranges::generate(bytes, [this] { return static_cast<std::uint8_t>(random_()); });
    };
    return settings;
}

Line &Pair::add_line(const LinkConfig &config) {
    second_.emplace(config, now_);
    second_->to_receiver.set_number(1);
    second_->to_sender.set_number(1);
    return *second_;
}

bool Pair::flush() {
    bool more = false;
    for (auto *connection : {sender_.get(), receiver_.get()}) {
        const bool sends = connection == sender_.get();
        auto *other = !second_ ? nullptr : sends ? &second_->to_receiver : &second_->to_sender;
        Fork fork(sends ? to_receiver_ : to_sender_, other);
        connection->on_deadline(now_);
        more = connection->flush(fork, now_) == FlushOutcome::More || more;
    }
    return more;
}

Timestamp Pair::next_event() const {
    const auto second =
        second_ ? std::min(second_->to_receiver.next_arrival(), second_->to_sender.next_arrival())
                : kNever;
    return std::min({to_receiver_.next_arrival(), to_sender_.next_arrival(), second,
                     sender_->deadline(), receiver_->deadline()});
}

void Pair::advance(Timestamp to) {
    now_ = to;
    to_receiver_.deliver(*receiver_);
    to_sender_.deliver(*sender_);
    if (second_) {
        second_->to_receiver.deliver(*receiver_);
        second_->to_sender.deliver(*sender_);
    }
}

bool Pair::step(Timestamp end) {
    if (flush()) {
        return true;
    }
    const auto next = next_event();
    if (next > end) {
        now_ = end;
        return false;
    }
    // A deadline may briefly be in the past; time never decreases and always advances.
    advance(std::max(next, now_ + kMicrosecond));
    return true;
}

} // namespace thru::sim
