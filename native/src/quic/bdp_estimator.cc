#include "quic/bdp_estimator.h"

#include <algorithm>

namespace thru {

namespace {

/// A shorter interval would measure the rate of one burst.
constexpr Timestamp kMinInterval = 10 * kMillisecond;

} // namespace

void BdpEstimator::observe(Timestamp now, std::uint64_t carried, Timestamp min_rtt) {
    if (!due(now)) {
        return;
    }
    if (observed_at_ != 0 && carried > carried_) {
        const auto elapsed = static_cast<double>(now - observed_at_);
        const auto rate = static_cast<double>(carried - carried_) / elapsed;
        bytes_ = std::max(bytes_, static_cast<std::uint64_t>(rate * static_cast<double>(min_rtt)));
    }
    carried_ = carried;
    observed_at_ = now;
    due_at_ = now + std::max(min_rtt, kMinInterval);
}

} // namespace thru
