// Estimates a path's bandwidth-delay product (BDP) in bytes, at either end.
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace thru {

class BdpEstimator {
public:
    /// True when `observe` would take a measurement.
    bool due(Timestamp now) const { return now >= due_at_; }
    /// `carried`: bytes delivered since the connection began. `min_rtt`: minimum round trip, in ns.
    void observe(Timestamp now, std::uint64_t carried, Timestamp min_rtt);

    /// The most bytes delivered within one minimum round trip, without queues. Never decreases.
    std::uint64_t bytes() const { return bytes_; }

private:
    std::uint64_t bytes_ = 0;
    std::uint64_t carried_ = 0;
    Timestamp observed_at_ = 0;
    Timestamp due_at_ = 0;
};

/// Bytes that windows and buffers must hold to keep a path of this BDP full. BBR has two BDPs in
/// flight while it starts and probes. Acknowledging data takes one round trip, and a retransmission
/// one more, or two if it is lost as well. Later data of the stream waits meanwhile.
constexpr std::uint64_t bytes_to_fill(std::uint64_t bdp) { return 6 * bdp; }

} // namespace thru
