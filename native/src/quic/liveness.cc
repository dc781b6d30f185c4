// Signs of life of a connection: what was heard, and the PING that asks for one.
#include <algorithm>
#include <utility>

#include "quic/connection_state.h"

namespace thru {

namespace {

/// After a sleep: until everything is read that arrived before or meanwhile, which is no sign of
/// life.
constexpr Timestamp kStaleDatagrams = 200 * kMillisecond;
/// For so long after the last data a line counts as busy.
constexpr Timestamp kBusyFor = 10 * kSecond;

} // namespace

void Connection::on_wake(Timestamp slept, Timestamp now) {
    auto &state = *state_;
    if (!state.established || state.closed) {
        return;
    }
    if (slept >= kIdleTimeout) {
        state.close_with(Error{ErrorCode::PeerGone, 0, "this computer slept for too long"}, now);
    } else {
        state.liveness.doubt(now + kStaleDatagrams);
    }
}

void Connection::on_network_change(bool path_is_gone, Timestamp now) {
    auto &state = *state_;
    if (!state.established || state.closed) {
        return;
    }
    state.liveness.doubt(now);
    if (path_is_gone) {
        state.liveness.give_up();
    }
}

void Connection::on_suspicion(Timestamp now) {
    auto &state = *state_;
    if (state.established && !state.closed) {
        state.liveness.suspect(now);
    }
}

void Connection::on_way_left(Timestamp now) {
    auto &state = *state_;
    if (state.established && !state.closed) {
        state.liveness.ask_anew(now);
    }
}

bool Connection::silent() const { return !state_->closed && state_->liveness.silent(); }

void ConnectionState::note_life(Timestamp now) {
    ngtcp2_conn_info info;
    ngtcp2_conn_get_conn_info2(conn.get(), &info);
    // What could not be decrypted is not counted: anybody may send it.
    if (std::exchange(packets_heard, info.pkt_recv) != info.pkt_recv) {
        const auto data_at = std::max(last_acknowledged, last_stream_data);
        liveness.heard(now < data_at + kBusyFor, now);
    }
}

void ConnectionState::ask_if_due(Timestamp now) {
    if (now < liveness.deadline()) {
        return;
    }
    // Later estimates hold acknowledgements that may be as old as a sleep.
    const auto least = least_round_trip();
    if (liveness.asks(now, least == kNever ? kSecond : least)) {
        // An expired keep-alive is what makes ngtcp2 send a PING. Where the congestion window is
        // full none goes out; then loss detection probes, once a second at least.
        asking = true;
        ngtcp2_conn_set_keep_alive_timeout(conn.get(), 1);
    }
}

void ConnectionState::restore_keep_alive() {
    if (asking) {
        asking = false;
        ngtcp2_conn_set_keep_alive_timeout(conn.get(), kKeepAlive);
    }
}

} // namespace thru
