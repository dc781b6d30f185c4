#include "quic/yielding_window.h"

#include <algorithm>

namespace thru {

namespace {

constexpr Timestamp kMinute = 60 * kSecond;
/// The queue that is kept: an eighth of the round trip, so that a short one of a router is not
/// filled, more than jitter, and less than others would notice.
constexpr Timestamp kLeastTarget = 4 * kMillisecond;
constexpr Timestamp kMostTarget = 25 * kMillisecond;
/// Room is taken by a quarter in each period and left by half, at most.
constexpr double kMostGrowth = 1.25;
constexpr double kLeastGrowth = 0.5;
/// Four datagrams: less gets no acknowledgements in time.
constexpr std::uint64_t kLeastBytes = 4ULL * 1452;

Timestamp target(Timestamp least) { return std::clamp(least / 8, kLeastTarget, kMostTarget); }

} // namespace

void YieldingWindow::on_round_trip(Timestamp now, Timestamp round_trip) {
    renew_least(now, round_trip);
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
}

void YieldingWindow::renew_least(Timestamp now, Timestamp round_trip) {
    if (now >= minute_ends_) {
        least_ = {kNever, least_.front()};
        minute_ends_ = now + kMinute;
    }
    least_.front() = std::min(least_.front(), round_trip);
}

Timestamp YieldingWindow::least() const { return std::min(least_.front(), least_.back()); }

/// By Little's law as many bytes are in flight as the link brings in a round trip. The ratio of the
/// round trip that is wanted to the one that is makes the right number of them, whatever the rate.
void YieldingWindow::adapt() {
    const auto wanted = least() + target(least());
    if (bytes_ == kUnlimited && period_least_ <= wanted) {
        return;
    }
    const auto growth = std::clamp(static_cast<double>(wanted) / static_cast<double>(period_least_),
                                   kLeastGrowth, kMostGrowth);
    const bool empty = period_least_ <= least() + target(least()) / 4;
    // What is not used is not kept, so that nothing is taken at once after a pause.
    const auto used =
        bytes_ == kUnlimited ? most_in_flight_ : std::min(bytes_, 2 * most_in_flight_);
    const auto next = static_cast<double>(used) * (empty ? kMostGrowth : growth);
    bytes_ = std::max(static_cast<std::uint64_t>(next), kLeastBytes);
}

} // namespace thru
