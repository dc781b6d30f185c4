// Windows beside those of congestion control: what the receiver's end takes on, which follows the
// path, and what leaves room for others. Shared by the files of this folder only.
#pragma once

#include <cstdint>
#include <optional>

#include <ngtcp2/ngtcp2.h>

#include "quic/bdp_estimator.h"
#include "quic/connection.h"
#include "quic/yielding_window.h"

namespace thru {

/// The whole connection's, in nanoseconds; kNever when none was measured.
Timestamp least_round_trip(const ngtcp2_conn *conn);

class PathWindows {
public:
    PathWindows(bool server, const ConnectionSettings &settings)
        : server_(server), window_(settings.connection_window),
          max_window_(settings.max_connection_window) {}

    /// Measures the path, and lets the receiver's window follow.
    void measure_path(ngtcp2_conn *conn, Timestamp now);
    /// The window of the receiver's end.
    std::uint64_t window() const { return window_; }
    /// See Connection::bytes_to_fill_path.
    std::uint64_t to_fill_path() const { return bytes_to_fill(bdp_.bytes()); }

    /// False when that changes nothing. `least`: as least_round_trip.
    bool set_leaves_room(bool leaves, Timestamp least);
    bool leaves_room() const { return yielding_.has_value(); }
    /// Looks whether the datagram that was read brought a round trip.
    void measure_round_trip(const ngtcp2_conn *conn, Timestamp now);
    /// While it leaves room: bytes that may be sent now.
    std::uint64_t room(const ngtcp2_conn *conn) const;
    /// While it leaves room: a flush is over; as YieldingWindow::on_sent.
    void on_sent(const ngtcp2_conn *conn, bool short_of_data);

private:
    bool server_;
    std::uint64_t window_;
    std::uint64_t max_window_;
    BdpEstimator bdp_;
    std::optional<YieldingWindow> yielding_;
    Timestamp seen_smoothed_rtt_ = 0;
    std::uint64_t seen_carried_ = 0;
};

} // namespace thru
