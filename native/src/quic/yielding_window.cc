#include "quic/yielding_window.h"

#include <algorithm>
#include <utility>

namespace thru {

namespace {

constexpr Timestamp kMinute = 60 * kSecond;
/// The queue that is kept: an eighth of the round trip, so that a short one of a router is not
/// filled, and less than others would notice.
constexpr Timestamp kMinTarget = 2 * kMillisecond;
constexpr Timestamp kMaxTarget = 25 * kMillisecond;
/// Round trips over which the mean of their differences goes, which tells a path that delays each
/// packet by another time from a queue.
constexpr Timestamp kJitterSamples = 16;
/// By so much of this mean the least of a few round trips may exceed the path's least one.
constexpr double kJitterShare = 1.5;
/// In each period the window becomes so many times as large at most, and at least.
constexpr double kMaxGrowth = 1.5;
constexpr double kMinGrowth = 0.5;
/// Two datagrams: in flight is never exactly as much as may be.
constexpr std::uint64_t kTolerance = 2ULL * 1452;
/// Four datagrams: less gets no acknowledgements in time.
constexpr std::uint64_t kMinBytes = 4ULL * 1452;

Timestamp target(Timestamp least) { return std::clamp(least / 8, kMinTarget, kMaxTarget); }

} // namespace

void YieldingWindow::on_round_trip(Timestamp now, Timestamp round_trip) {
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

void YieldingWindow::measure_jitter(Timestamp round_trip) {
    const auto before = std::exchange(previous_, round_trip);
    if (before == 0) {
        return;
    }
    const auto differs = before < round_trip ? round_trip - before : before - round_trip;
    jitter_ = ((kJitterSamples - 1) * jitter_ + differs) / kJitterSamples;
}

void YieldingWindow::renew_least(Timestamp now, Timestamp round_trip) {
    if (now >= minute_ends_) {
        least_ = {kNever, least_.front()};
        most_ = {0, most_.front()};
        minute_ends_ = now + kMinute;
    }
    least_.front() = std::min(least_.front(), round_trip);
}

Timestamp YieldingWindow::least() const { return std::min(least_.front(), least_.back()); }

/// By Little's law as many bytes are in flight as the link brings in a round trip. The ratio of the
/// round trip that is wanted to the one that is makes the right number of them, whatever the rate.
void YieldingWindow::adapt() {
    const auto wanted = least() + target(least());
    // Bursts of others make small differences, too.
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
    // What is not used is not kept: else the controller below would take all at once when it may.
    const auto used = static_cast<double>(std::min(bytes_, most_in_flight_ + kTolerance));
    most_.front() = std::max(most_.front(), used * ratio(least(), measured));
    const auto change = ratio(wanted, measured);
    const auto factor = std::clamp(change < 1 ? change * change : change, kMinGrowth, kMaxGrowth);
    auto next = used * factor;
    if (measured <= least() + target(least()) / 4) {
        // Nobody waits. What is added makes no longer queue than is wanted, at the highest rate of
        // late.
        const auto addition = std::ranges::max(most_) * ratio(target(least()), wanted);
        next = std::min(used * kMaxGrowth, used + addition);
    }
    if (was_short_) {
        // A pause says nothing of the path: half of what it held is there again after it.
        const auto half = std::ranges::max(most_) / 2;
        next = std::max(next, std::min(static_cast<double>(bytes_), half) * std::min(factor, 1.0));
    }
    bytes_ = std::max(static_cast<std::uint64_t>(next), kMinBytes);
}

} // namespace thru
