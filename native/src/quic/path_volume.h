// How many bytes a path holds: its bandwidth-delay product, as measured at either end.
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace thru {

class PathVolume {
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

/// What has to fit into windows and buffers for a path of this volume to be full at all times. BBR
/// has twice the volume under way while it starts and probes. A round trip passes until data is
/// known to have arrived, and one more until what was lost has come, or two at the second try:
/// everything behind it in its stream waits.
constexpr std::uint64_t bytes_to_fill(std::uint64_t path_volume) { return 6 * path_volume; }

} // namespace thru
