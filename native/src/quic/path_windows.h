// Windows other than congestion control's: the receiver's, which follows the path, and the one that
// leaves room for other traffic. Shared by the files of this folder only.
#pragma once

#include <cstdint>
#include <optional>

#include <ngtcp2/ngtcp2.h>

#include "quic/background_window.h"
#include "quic/bdp_estimator.h"
#include "quic/connection.h"

namespace thru {

/// The connection's minimum round trip, in nanoseconds; kNever before the first sample.
Timestamp min_round_trip(const ngtcp2_conn *conn);

class PathWindows {
public:
    PathWindows(bool server, const ConnectionSettings &settings)
        : server_(server), window_(settings.connection_window),
          max_window_(settings.max_connection_window) {}

    /// Measures the path and adapts the receiver's window.
    void measure_path(ngtcp2_conn *conn, Timestamp now);
    /// The receiver's window, in bytes.
    std::uint64_t window() const { return window_; }
    std::uint64_t to_fill_path() const { return bytes_to_fill(bdp_.bytes()); }

    /// Returns false if nothing changes. `least`: as min_round_trip.
    bool set_background(bool enabled, Timestamp least);
    bool background() const { return background_.has_value(); }
    /// Checks whether the datagram just read brought a round-trip sample.
    void measure_round_trip(const ngtcp2_conn *conn, Timestamp now);
    /// Bytes that may be sent now. Requires background().
    std::uint64_t room(const ngtcp2_conn *conn) const;
    /// A flush has ended; see BackgroundWindow::on_sent. Requires background().
    void on_sent(const ngtcp2_conn *conn, bool short_of_data);

private:
    bool server_;
    std::uint64_t window_;
    std::uint64_t max_window_;
    BdpEstimator bdp_;
    std::optional<BackgroundWindow> background_;
    Timestamp seen_smoothed_rtt_ = 0;
    std::uint64_t seen_carried_ = 0;
};

} // namespace thru
