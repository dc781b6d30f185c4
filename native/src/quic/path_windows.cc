#include "quic/path_windows.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace thru {

namespace {

ngtcp2_conn_info info_of(const ngtcp2_conn *conn) {
    ngtcp2_conn_info info;
    ngtcp2_conn_get_conn_info2(conn, &info);
    return info;
}

/// Bytes that have arrived at the other side.
std::uint64_t carried_by(const ngtcp2_conn_info &info) {
    return info.bytes_sent - std::min(info.bytes_sent, info.bytes_in_flight + info.bytes_lost);
}

} // namespace

Timestamp min_round_trip(const ngtcp2_conn *conn) {
    const auto least = info_of(conn).min_rtt;
    return least == std::numeric_limits<std::uint64_t>::max() ? kNever : least;
}

void PathWindows::measure_path(ngtcp2_conn *conn, Timestamp now) {
    if (!bdp_.due(now)) {
        return;
    }
    const auto info = info_of(conn);
    if (info.min_rtt == std::numeric_limits<std::uint64_t>::max()) {
        return;
    }
    bdp_.observe(now, server_ ? carried_by(info) : info.bytes_recv, info.min_rtt);
    const auto wanted = std::min(to_fill_path(), max_window_);
    if (!server_ && wanted > window_) {
        ngtcp2_conn_extend_max_offset(conn, wanted - window_);
        window_ = wanted;
    }
}

bool PathWindows::set_background(bool enabled, Timestamp least) {
    if (enabled == background()) {
        return false;
    }
    background_ = enabled ? std::optional(BackgroundWindow(least)) : std::nullopt;
    seen_smoothed_rtt_ = 0;
    return true;
}

void PathWindows::measure_round_trip(const ngtcp2_conn *conn, Timestamp now) {
    if (!background_) {
        return;
    }
    const auto info = info_of(conn);
    const auto carried = carried_by(info);
    const bool acknowledged = std::exchange(seen_carried_, carried) < carried;
    const auto before = std::exchange(seen_smoothed_rtt_, info.smoothed_rtt);
    if (before == 0 || !acknowledged) {
        return;
    }
    // ngtcp2 exposes samples without the other side's delay only through the smoothed mean, where
    // each counts an eighth (RFC 9002 section 5.3).
    const auto sample = 8 * info.smoothed_rtt - std::min(8 * info.smoothed_rtt, 7 * before);
    background_->on_round_trip(now, std::max(sample, info.min_rtt));
}

std::uint64_t PathWindows::room(const ngtcp2_conn *conn) const {
    const auto most = background_->bytes();
    return most == kUnlimited ? kUnlimited : most - std::min(most, info_of(conn).bytes_in_flight);
}

void PathWindows::on_sent(const ngtcp2_conn *conn, bool short_of_data) {
    background_->on_sent(info_of(conn).bytes_in_flight, short_of_data);
}

} // namespace thru
