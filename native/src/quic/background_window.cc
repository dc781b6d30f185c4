#include "quic/background_window.h"

#include <algorithm>
#include <utility>

namespace thru {

namespace {

constexpr Timestamp kMinute = 60 * kSecond;
/// The queue to keep: an eighth of the round trip, within limits. It doesn't fill a router's short
/// queue, and others barely notice it.
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

Timestamp target(Timestamp least) { return std::clamp(least / 8, kMinTarget, kMaxTarget); }

} // namespace

void BackgroundWindow::on_round_trip(Timestamp now, Timestamp round_trip) {
    renew_least(now, round_trip);
    measure_jitter(round_trip);
    if (now >= measured_from_) {
        period_least_ = std::min(period_least_, round_trip);
    }
    if (now < period_ends_ || period_least_ == kNever) {
        return;
    }
    adapt();
    measured_from_ = now + period_least_;
    period_ends_ = measured_from_ + period_least_;
    period_least_ = kNever;
    most_in_flight_ = 0;
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

void BackgroundWindow::renew_least(Timestamp now, Timestamp round_trip) {
    if (now >= minute_ends_) {
        least_ = {kNever, least_.front()};
        most_ = {0, most_.front()};
        minute_ends_ = now + kMinute;
    }
    least_.front() = std::min(least_.front(), round_trip);
}

Timestamp BackgroundWindow::least() const { return std::min(least_.front(), least_.back()); }

/// The bytes in flight are those that the link carries in a round trip (Little's law). The ratio of
/// the wanted to the measured round trip yields the right window at any rate.
void BackgroundWindow::adapt() {
    const auto wanted = least() + target(least());
    // Bursts of other traffic cause small differences, too.
    const auto bursts = target(least()) / 4;
    const auto jitter = std::max(bursts, jitter_) - bursts;
    const auto allowed = static_cast<Timestamp>(kJitterShare * static_cast<double>(jitter));
    const auto measured = std::max(least() + allowed, period_least_) - allowed;
    if (bytes_ == kUnlimited && measured <= wanted) {
        return;
    }
    const auto ratio = [](Timestamp of, Timestamp to) {
        return static_cast<double>(of) / static_cast<double>(to);
    };
    // Unused window is not kept: the congestion control below could use it all in one burst.
    const auto used = static_cast<double>(std::min(bytes_, most_in_flight_ + kTolerance));
    most_.front() = std::max(most_.front(), used * ratio(least(), measured));
    const auto change = ratio(wanted, measured);
    const auto factor = std::clamp(change < 1 ? change * change : change, kMinGrowth, kMaxGrowth);
    auto next = used * factor;
    if (measured <= least() + target(least()) / 4) {
        // No queue. The addition causes at most the wanted queue at the highest recent rate.
        const auto addition = std::ranges::max(most_) * ratio(target(least()), wanted);
        next = std::min(used * kMaxGrowth, used + addition);
    }
    if (was_short_) {
        // A pause says nothing about the path: half of its capacity remains available.
        const auto half = std::ranges::max(most_) / 2;
        next = std::max(next, std::min(static_cast<double>(bytes_), half) * std::min(factor, 1.0));
    }
    bytes_ = std::max(static_cast<std::uint64_t>(next), kMinBytes);
}

} // namespace thru
