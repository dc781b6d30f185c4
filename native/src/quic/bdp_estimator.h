// How many bytes a path holds: its bandwidth-delay product (BDP), as measured at either end.
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace thru {

class BdpEstimator {
public:
    /// Whether `observe` would do anything.
    bool due(Timestamp now) const { return now >= due_at_; }
    /// `carried`: bytes that the path has brought to its end since the connection began. `min_rtt`:
    /// its least round trip, in nanoseconds.
    void observe(Timestamp now, std::uint64_t carried, Timestamp min_rtt);

    /// The most that it brought within one least round trip, so a queue is no part of it. Never
    /// falls.
    std::uint64_t bytes() const { return bytes_; }

private:
    std::uint64_t bytes_ = 0;
    std::uint64_t carried_ = 0;
    Timestamp observed_at_ = 0;
    Timestamp due_at_ = 0;
};

/// What has to fit into windows and buffers for a path of this BDP to be full at all times. BBR has
/// twice as much under way while it starts and probes. A round trip passes until data is known to
/// have arrived, and one more until what was lost has come, or two when it is lost again:
/// everything behind it in its stream waits.
constexpr std::uint64_t bytes_to_fill(std::uint64_t bdp) { return 6 * bdp; }

} // namespace thru
