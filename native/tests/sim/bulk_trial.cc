#include "sim/bulk_trial.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "sim/bulk_receiver.h"
#include "sim/bulk_sender.h"

namespace thru::sim {

namespace {

constexpr double kSample = 0.05;
/// Rates over shorter times are noise.
constexpr double kMinWindow = 0.25;

struct Sample {
    double seconds = 0;
    double received = 0;
    /// Bytes that the rate allowed until then.
    double possible = 0;
    double waiting = 0;
};

double share_between(const Sample &begin, const Sample &end) {
    return (end.received - begin.received) / (end.possible - begin.possible);
}

/// Share of the time since the handshake spent waiting for memory of one end.
double held_up(const BottleneckTimes &times) {
    const auto all = std::accumulate(times.begin(), times.end(), Timestamp{0});
    const auto waited = times.at(static_cast<std::size_t>(Bottleneck::FlowControl)) +
                        times.at(static_cast<std::size_t>(Bottleneck::SendBuffer));
    return static_cast<double>(waited) / static_cast<double>(std::max<Timestamp>(all, 1));
}

/// Seconds from `begin` until 90% of the rate was first reached.
double time_to_rate(const std::vector<Sample> &samples, std::size_t begin, double window) {
    const auto span = static_cast<std::size_t>(window / kSample);
    for (std::size_t index = begin + span; index < samples.size(); ++index) {
        if (share_between(samples[index - span], samples[index]) >= 0.9) {
            return samples[index].seconds - samples[begin].seconds;
        }
    }
    return -1;
}

} // namespace

BulkFigures measure(const BulkTrial &trial) {
    BulkSender sender;
    BulkReceiver receiver;
    Pair pair(trial.link, sender, receiver,
              {.congestion_control = trial.congestion_control,
               .connection_window = trial.window,
               .max_connection_window = trial.max_window});
    pair.sender().set_background(trial.background);
    auto saved = trial.saved;
    if (trial.budget != nullptr) {
        sender.part.emplace(*trial.budget);
    }
    sender.window = trial.window;
    // If the receiver's window is fixed, it alone limits the rate.
    sender.max_window = std::max(trial.max_window, 4 * trial.window);
    sender.connection = &pair.sender();
    receiver.connection = &pair.receiver();
    const auto count = static_cast<std::size_t>(trial.seconds / kSample);
    const auto half = count / 2;
    auto rate = trial.link.rate;
    std::vector<Sample> samples{{}};
    const auto run = [&](std::size_t until) {
        while (samples.size() <= until) {
            pair.run_until(
                [&] {
                    if (saved && pair.sender().established()) {
                        pair.sender().use_saved_path(*std::exchange(saved, {}));
                    }
                    sender.pump();
                    return false;
                },
                kSample);
            const auto &last = samples.back();
            samples.push_back({.seconds = last.seconds + kSample,
                               .received = static_cast<double>(receiver.received),
                               .possible = last.possible + rate * kPayloadShare * kSample,
                               .waiting = static_cast<double>(pair.to_receiver().waiting()) / 1e9});
        }
    };
    run(half - static_cast<std::size_t>(trial.pause / kSample));
    pair.sender().set_paused(trial.pause > 0);
    run(half);
    pair.sender().set_paused(false);
    pair.sender().set_background(trial.background || trial.background_later);
    rate *= trial.rate_change;
    pair.to_receiver().set_rate(rate);
    run(count);

    const auto round_trip = 2 * static_cast<double>(trial.link.one_way_delay) / 1e9;
    const auto window = std::max(kMinWindow, round_trip);
    double waited = 0;
    for (std::size_t index = half + 1; index < samples.size(); ++index) {
        waited += samples[index].waiting;
    }
    const auto received = samples.back().received;
    return {.share = share_between(samples.front(), samples.back()),
            .steady = share_between(samples[count - count / 4], samples.back()),
            .again = static_cast<double>(pair.to_receiver().bytes_sent()) * kPayloadShare /
                         std::max(received, 1.0) -
                     1,
            .added_delay = waited / static_cast<double>(count - half) / round_trip,
            .seconds_to_rate = time_to_rate(samples, 0, window),
            .seconds_to_new_rate = time_to_rate(samples, half, window),
            .held_up = held_up(pair.sender().statistics(pair.now()).limited_for),
            .receive_window = pair.receiver().connection_window(),
            .send_buffer = sender.max_buffered(),
            .careful_resume = pair.sender().statistics(pair.now()).careful_resume,
            .measured = pair.sender().measured_path(),
            .alive = !pair.sender().closed() && !pair.receiver().closed()};
}

} // namespace thru::sim
