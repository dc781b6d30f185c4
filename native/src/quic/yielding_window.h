// How much a connection that leaves room for others may have in flight: as much as keeps the queue
// at the bottleneck short. Who fills that queue gets the link, as with LEDBAT (RFC 6817) and
// LEDBAT++ (draft-irtf-iccrg-ledbat-plus-plus), which this follows in aim and not in detail. Works
// on top of any congestion control.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/clock.h"
#include "base/rate_limiter.h"

namespace thru {

class YieldingWindow {
public:
    /// `least`: the path's least round trip so far, in nanoseconds, kNever when there was none. A
    /// queue that is there already is one then, and not the path.
    explicit YieldingWindow(Timestamp least = kNever) : least_{least, kNever} {}
    /// A round trip was measured, in nanoseconds, without what the other side waited.
    void on_round_trip(Timestamp now, Timestamp round_trip);
    /// So many bytes are in flight now. `short_of_data`: the network would have taken more.
    void on_sent(std::uint64_t in_flight, bool short_of_data = false) {
        most_in_flight_ = std::max(most_in_flight_, in_flight);
        was_short_ = was_short_ || short_of_data;
    }

    /// kUnlimited until others were met, or a queue of this connection's own.
    std::uint64_t bytes() const { return bytes_; }

private:
    void renew_least(Timestamp now, Timestamp round_trip);
    Timestamp least() const;
    void measure_jitter(Timestamp round_trip);
    void adapt();

    std::uint64_t bytes_ = kUnlimited;
    /// Least round trip of this minute and of the last one: where a route becomes longer, the old
    /// one is forgotten.
    std::array<Timestamp, 2> least_;
    /// Most bytes that the path held of this connection, without a queue, in the same minutes.
    std::array<double, 2> most_{};
    Timestamp minute_ends_ = 0;
    /// A period lasts two round trips: one until a change shows, and one in which it is measured.
    Timestamp measured_from_ = 0;
    Timestamp period_ends_ = 0;
    Timestamp period_least_ = kNever;
    Timestamp previous_ = 0;
    /// Mean difference of a round trip from the one before.
    Timestamp jitter_ = 0;
    std::uint64_t most_in_flight_ = 0;
    /// Of data, at some time in this period.
    bool was_short_ = false;
};

} // namespace thru
