// Whether the other side still lives after this computer slept.
#include <algorithm>

#include "quic/connection_state.h"

namespace thru {

namespace {

/// After a sleep: until everything is read that arrived before or meanwhile, which is no sign of
/// life.
constexpr Timestamp kStaleDatagrams = 200 * kMillisecond;
/// And for an answer, beside the round trip.
constexpr Timestamp kAnswerTime = kSecond;

} // namespace

void Connection::on_wake(Timestamp slept, Timestamp now) {
    auto &state = *state_;
    if (!state.established || state.closed) {
        return;
    }
    if (slept >= kIdleTimeout) {
        state.give_up(now);
    } else {
        state.ask_at = now + kStaleDatagrams;
        state.answer_by = kNever;
    }
}

std::uint64_t ConnectionState::packets_heard() const {
    ngtcp2_conn_info info;
    ngtcp2_conn_get_conn_info2(conn.get(), &info);
    return info.pkt_recv;
}

void ConnectionState::give_up(Timestamp now) {
    close_with(Error{ErrorCode::PeerGone, 0, "no answer after this computer slept"}, now);
}

void ConnectionState::probe_liveness(Timestamp now) {
    if (now >= ask_at) {
        ngtcp2_conn_info info;
        ngtcp2_conn_get_conn_info2(conn.get(), &info);
        ask_at = kNever;
        // Later estimates hold acknowledgements that are as old as the sleep.
        answer_by = now + kAnswerTime + 2 * std::min(info.min_rtt, kSecond);
        heard_before = packets_heard();
        // An expired keep-alive is what makes ngtcp2 send a PING.
        asking = true;
        ngtcp2_conn_set_keep_alive_timeout(conn.get(), 1);
    } else if (now >= answer_by) {
        answer_by = kNever;
        if (packets_heard() == heard_before) {
            give_up(now);
        }
    }
}

void ConnectionState::restore_keep_alive() {
    if (asking) {
        asking = false;
        ngtcp2_conn_set_keep_alive_timeout(conn.get(), kKeepAlive);
    }
}

} // namespace thru
