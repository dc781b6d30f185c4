#include "quic/background_window.h"

#include <algorithm>
#include <utility>

namespace thru {

namespace {

constexpr Timestamp kMinute = 60 * kSecond;
/// The queue to keep: an eighth of the round trip. It fits a router's; others barely notice it.
constexpr Timestamp kMinTarget = 2 * kMillisecond;
constexpr Timestamp kMaxTarget = 25 * kMillisecond;
/// Round trips over which differences are averaged, to tell varying delays from a queue.
constexpr Timestamp kJitterSamples = 16;
/// Multiple of this mean by which a period's minimum may exceed the path's minimum.
constexpr double kJitterShare = 1.5;
/// Largest and smallest factor by which the window changes in a period.
constexpr double kMaxGrowth = 1.5;
constexpr double kMinGrowth = 0.5;
/// Two datagrams: the bytes in flight never match the window exactly.
constexpr std::uint64_t kTolerance = 2ULL * 1452;
/// Four datagrams: fewer get no acknowledgements in time.
constexpr std::uint64_t kMinBytes = 4ULL * 1452;

Timestamp target(Timestamp min_round_trip) {
    return std::clamp(min_round_trip / 8, kMinTarget, kMaxTarget);
}

} // namespace

void BackgroundWindow::on_round_trip(Timestamp now, Timestamp round_trip) {
    renew_min(now, round_trip);
    measure_jitter(round_trip);
    if (now >= measured_from_) {
        period_min_ = std::min(period_min_, round_trip);
    }
    if (now < period_ends_ || period_min_ == kNever) {
        return;
    }
    adapt();
    measured_from_ = now + period_min_;
    period_ends_ = measured_from_ + period_min_;
    period_min_ = kNever;
    max_in_flight_ = 0;
    was_short_ = false;
}

void BackgroundWindow::measure_jitter(Timestamp round_trip) {
    const auto before = std::exchange(previous_, round_trip);
    if (before == 0) {
        return;
    }
    const auto differs = before < round_trip ? round_trip - before : before - round_trip;
    jitter_ = ((kJitterSamples - 1) * jitter_ + differs) / kJitterSamples;
}

void BackgroundWindow::renew_min(Timestamp now, Timestamp round_trip) {
    if (now >= minute_ends_) {
        min_round_trips_ = {kNever, min_round_trips_.front()};
        max_held_ = {0, max_held_.front()};
        minute_ends_ = now + kMinute;
    }
    min_round_trips_.front() = std::min(min_round_trips_.front(), round_trip);
}

Timestamp BackgroundWindow::min_round_trip() const {
    return std::min(min_round_trips_.front(), min_round_trips_.back());
}

/// The bytes in flight are those that the link carries in a round trip (Little's law). The ratio of
/// the wanted to the measured round trip yields the right window at any rate.
void BackgroundWindow::adapt() {
    const auto wanted = min_round_trip() + target(min_round_trip());
    // Bursts of other traffic cause small differences, too.
    const auto bursts = target(min_round_trip()) / 4;
    const auto jitter = std::max(bursts, jitter_) - bursts;
    const auto allowed = static_cast<Timestamp>(kJitterShare * static_cast<double>(jitter));
    const auto measured = std::max(min_round_trip() + allowed, period_min_) - allowed;
    if (bytes_ == kUnlimited && measured <= wanted) {
        return;
    }
    const auto ratio = [](Timestamp of, Timestamp to) {
        return static_cast<double>(of) / static_cast<double>(to);
    };
    // Unused window is not kept: the congestion control below could use it all in one burst.
    const auto used = static_cast<double>(std::min(bytes_, max_in_flight_ + kTolerance));
    max_held_.front() = std::max(max_held_.front(), used * ratio(min_round_trip(), measured));
    const auto change = ratio(wanted, measured);
    const auto factor = std::clamp(change < 1 ? change * change : change, kMinGrowth, kMaxGrowth);
    auto next = used * factor;
    if (measured <= min_round_trip() + target(min_round_trip()) / 4) {
        // No queue. The addition causes at most the wanted queue at the highest recent rate.
        const auto addition = std::ranges::max(max_held_) * ratio(target(min_round_trip()), wanted);
        next = std::min(used * kMaxGrowth, used + addition);
    }
    if (was_short_) {
        // A pause says nothing about the path: half of its capacity remains available.
        const auto half = std::ranges::max(max_held_) / 2;
        next = std::max(next, std::min(static_cast<double>(bytes_), half) * std::min(factor, 1.0));
    }
    bytes_ = std::max(static_cast<std::uint64_t>(next), kMinBytes);
}

} // namespace thru
