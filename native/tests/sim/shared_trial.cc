#include "sim/shared_trial.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "sim/bulk_receiver.h"
#include "sim/bulk_sender.h"

namespace thru::sim {

namespace {

constexpr Timestamp kSampleTime = 50 * kMillisecond;

Timestamp after(double seconds) { return kSecond + static_cast<Timestamp>(seconds * 1e9); }

class SharingFlow {
public:
    SharingFlow(const SharedTrial &trial, std::size_t index, SharedQueue &queue)
        : flow_(trial.flows[index]), link_(flow_.own_link.value_or(trial.link)), queue_(queue) {
        link_.one_way_delay += flow_.delay;
        link_.seed += static_cast<std::uint32_t>(index);
        if (trial.budget != nullptr) {
            sender_.part.emplace(*trial.budget);
        }
    }

    bool flush(Timestamp now) {
        if (!runs(now)) {
            return false;
        }
        if (!pair_) {
            begin(now);
        }
        if (flow_.saved && pair_->sender().established()) {
            pair_->sender().use_saved_path(*std::exchange(flow_.saved, {}));
        }
        sender_.pump();
        return pair_->flush();
    }
    Timestamp next_event(Timestamp now) const {
        return runs(now) && pair_ ? pair_->next_event() : now < begins() ? begins() : kNever;
    }
    void advance(Timestamp now) {
        if (runs(now) && pair_) {
            pair_->advance(now);
        }
    }
    void mark() {
        received_before_ = receiver_.received;
        sent_before_ = sent();
    }
    double received() const { return static_cast<double>(receiver_.received - received_before_); }
    double again() const {
        return static_cast<double>(sent() - sent_before_) * kPayloadShare /
                   std::max(received(), 1.0) -
               1;
    }

private:
    void begin(Timestamp now) {
        pair_ = std::make_unique<Pair>(
            link_, sender_, receiver_,
            ConnectionSettings{.congestion_control = flow_.congestion_control}, now);
        pair_->sender().set_background(flow_.background);
        if (!flow_.own_link) {
            pair_->to_receiver().share(queue_);
        }
        sender_.connection = &pair_->sender();
        receiver_.connection = &pair_->receiver();
    }
    Timestamp begins() const { return after(flow_.begins); }
    bool runs(Timestamp now) const { return begins() <= now && now < after(flow_.ends); }
    std::uint64_t sent() const { return pair_ ? pair_->to_receiver().bytes_sent() : 0; }

    SharedTrial::Flow flow_;
    LinkConfig link_;
    SharedQueue &queue_;
    BulkSender sender_;
    BulkReceiver receiver_;
    std::unique_ptr<Pair> pair_;
    std::uint64_t received_before_ = 0;
    std::uint64_t sent_before_ = 0;
};

} // namespace

SharedFigures measure(const SharedTrial &trial) {
    SharedQueue queue;
    std::vector<std::unique_ptr<SharingFlow>> flows;
    for (std::size_t index = 0; index < trial.flows.size(); ++index) {
        flows.push_back(std::make_unique<SharingFlow>(trial, index, queue));
    }
    const auto end = after(trial.seconds);
    const auto measured_from = after(trial.measured_from);
    auto now = kSecond;
    auto next_sample = measured_from;
    double waited = 0;
    double samples = 0;
    while (now < end) {
        bool more = false;
        for (const auto &flow : flows) {
            more = flow->flush(now) || more;
        }
        if (more) {
            continue;
        }
        auto next = std::min(end, next_sample);
        for (const auto &flow : flows) {
            next = std::min(next, flow->next_event(now));
        }
        now = std::max(next, now + kMicrosecond);
        for (const auto &flow : flows) {
            flow->advance(now);
        }
        if (now >= next_sample) {
            if (samples == 0) {
                std::ranges::for_each(flows, [](auto &flow) { flow->mark(); });
            }
            ++samples;
            next_sample += kSampleTime;
            waited += queue.free_at > now ? static_cast<double>(queue.free_at - now) / 1e9 : 0;
        }
    }

    SharedFigures figures;
    double sum = 0;
    double squares = 0;
    for (const auto &flow : flows) {
        sum += flow->received();
        squares += flow->received() * flow->received();
        figures.again.push_back(flow->again());
    }
    const auto measured = trial.seconds - trial.measured_from;
    for (const auto &flow : flows) {
        figures.shares.push_back(flow->received() / sum);
        figures.rates.push_back(flow->received() / measured);
    }
    const auto round_trip = 2 * static_cast<double>(trial.link.one_way_delay) / 1e9;
    figures.fairness = sum * sum / (static_cast<double>(flows.size()) * squares);
    figures.used = sum / (trial.link.rate * kPayloadShare * measured);
    figures.added_delay = waited / samples / round_trip;
    return figures;
}

} // namespace thru::sim
