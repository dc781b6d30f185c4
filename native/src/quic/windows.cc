// Windows beside those of congestion control: what either end takes on, which follows the path, and
// what leaves room for others.
#include <algorithm>
#include <limits>
#include <utility>

#include "quic/connection_state.h"

namespace thru {

namespace {

/// What has arrived at the other side, in bytes.
std::uint64_t carried_by(const ngtcp2_conn_info &info) {
    return info.bytes_sent - std::min(info.bytes_sent, info.bytes_in_flight + info.bytes_lost);
}

} // namespace

void ConnectionState::measure_path(Timestamp now) {
    if (!bdp.due(now)) {
        return;
    }
    ngtcp2_conn_info info;
    ngtcp2_conn_get_conn_info2(conn.get(), &info);
    if (info.min_rtt == std::numeric_limits<std::uint64_t>::max()) {
        return;
    }
    bdp.observe(now, server ? carried_by(info) : info.bytes_recv, info.min_rtt);
    const auto wanted = std::min(bytes_to_fill(bdp.bytes()), settings.max_connection_window);
    if (!server && wanted > window) {
        ngtcp2_conn_extend_max_offset(conn.get(), wanted - window);
        window = wanted;
    }
}

std::uint64_t Connection::connection_window() const { return state_->window; }

std::uint64_t Connection::bytes_to_fill_path() const { return bytes_to_fill(state_->bdp.bytes()); }

void ConnectionState::measure_round_trip(Timestamp now) {
    if (!yielding || !established || closed) {
        return;
    }
    ngtcp2_conn_info info;
    ngtcp2_conn_get_conn_info2(conn.get(), &info);
    const auto carried = carried_by(info);
    const bool acknowledged = std::exchange(seen_carried, carried) < carried;
    const auto before = std::exchange(seen_smoothed_rtt, info.smoothed_rtt);
    if (before == 0 || !acknowledged) {
        return;
    }
    // ngtcp2 tells a sample without the other side's delay only as an eighth of the mean (RFC 9002
    // section 5.3).
    const auto sample = 8 * info.smoothed_rtt - std::min(8 * info.smoothed_rtt, 7 * before);
    yielding->on_round_trip(now, std::max(sample, info.min_rtt));
}

Timestamp ConnectionState::least_round_trip() const {
    if (!established || closed) {
        return kNever;
    }
    ngtcp2_conn_info info;
    ngtcp2_conn_get_conn_info2(conn.get(), &info);
    return info.min_rtt == std::numeric_limits<std::uint64_t>::max() ? kNever : info.min_rtt;
}

std::uint64_t ConnectionState::room_beside_others() const {
    if (yielding->bytes() == kUnlimited) {
        return kUnlimited;
    }
    ngtcp2_conn_info info;
    ngtcp2_conn_get_conn_info2(conn.get(), &info);
    return yielding->bytes() - std::min(yielding->bytes(), info.bytes_in_flight);
}

void Connection::set_leaves_room(bool leaves) {
    auto &state = *state_;
    if (leaves == state.yielding.has_value()) {
        return;
    }
    if (leaves) {
        state.yielding.emplace(state.least_round_trip());
    } else {
        state.yielding.reset();
    }
    state.seen_smoothed_rtt = 0;
    state.quota.set_room(kUnlimited);
}

bool Connection::leaves_room() const { return state_->yielding.has_value(); }

} // namespace thru
