// Congestion window of a connection that leaves room for other traffic: it keeps the queue at the
// bottleneck short. It yields the link to traffic that fills the queue, as LEDBAT (RFC 6817) and
// LEDBAT++ (draft-irtf-iccrg-ledbat-plus-plus) do. Works with any congestion control.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/clock.h"
#include "base/rate_limiter.h"

namespace thru {

class BackgroundWindow {
public:
    /// `min_round_trip`: the path's minimum round trip so far, in nanoseconds; kNever if there is
    /// none. It keeps an existing queue from being taken for the path's delay.
    explicit BackgroundWindow(Timestamp min_round_trip = kNever)
        : min_round_trips_{min_round_trip, kNever} {}
    /// A round trip was measured, in nanoseconds, without the other side's delay.
    void on_round_trip(Timestamp now, Timestamp round_trip);
    /// `in_flight` bytes are in flight now. `short_of_data`: the network would have carried more.
    void on_sent(std::uint64_t in_flight, bool short_of_data = false) {
        max_in_flight_ = std::max(max_in_flight_, in_flight);
        was_short_ = was_short_ || short_of_data;
    }

    /// kUnlimited until a queue has built up, due to other traffic or this connection.
    std::uint64_t bytes() const { return bytes_; }

private:
    void renew_min(Timestamp now, Timestamp round_trip);
    Timestamp min_round_trip() const;
    void measure_jitter(Timestamp round_trip);
    void adapt();

    std::uint64_t bytes_ = kUnlimited;
    /// Minimum round trip of this minute and the last; expires to notice longer routes.
    std::array<Timestamp, 2> min_round_trips_;
    /// Most bytes of this connection that the path held without a queue, in the same minutes.
    std::array<double, 2> max_held_{};
    Timestamp minute_ends_ = 0;
    /// A period lasts two round trips: a change shows after one, and the other measures it.
    Timestamp measured_from_ = 0;
    Timestamp period_ends_ = 0;
    Timestamp period_min_ = kNever;
    Timestamp previous_ = 0;
    /// Mean difference between successive round trips.
    Timestamp jitter_ = 0;
    std::uint64_t max_in_flight_ = 0;
    /// Data ran short at some time in this period.
    bool was_short_ = false;
};

} // namespace thru
