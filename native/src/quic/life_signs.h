// Input of Liveness: arrived packets and PINGs. Shared by the files of this folder only.
#pragma once

#include <cstdint>
#include <utility>

#include "quic/library_connection.h"

namespace thru {

class LifeSigns {
public:
    /// True if the other side was heard since the last call.
    bool received(const ngtcp2_conn *conn) {
        ngtcp2_conn_info info;
        ngtcp2_conn_get_conn_info2(conn, &info);
        // Packets that can't be decrypted don't count: anyone can send them.
        return std::exchange(packets_received_, info.pkt_recv) != info.pkt_recv;
    }
    /// Makes ngtcp2 send a PING; with a full congestion window, loss detection probes instead.
    void ask(ngtcp2_conn *conn) {
        // An expired keep-alive makes ngtcp2 send a PING.
        asking_ = true;
        ngtcp2_conn_set_keep_alive_timeout(conn, 1);
    }
    /// The PING was written: restores the keep-alive timeout.
    void on_idle(ngtcp2_conn *conn) {
        if (std::exchange(asking_, false)) {
            ngtcp2_conn_set_keep_alive_timeout(conn, kKeepAlive);
        }
    }

private:
    std::uint64_t packets_received_ = 0;
    bool asking_ = false;
};

} // namespace thru
