// What a connection tells about itself: figures, why data does not move, what holds it up.
#include <algorithm>
#include <limits>

#include "quic/connection_state.h"
#include "quic/ngtcp2_patches.h"

namespace thru {

/// Of the sender alone: what a receiver sends does not decide how fast data comes.
Bottleneck ConnectionState::bottleneck(FlushOutcome outcome) const {
    if (!server) {
        return supply;
    }
    if (outcome == FlushOutcome::PathBusy) {
        return Bottleneck::Socket;
    }
    if (outcome == FlushOutcome::More) {
        return Bottleneck::Processor;
    }
    const bool waits = std::ranges::any_of(sending, &SendStream::sendable);
    const bool would_send = waits || supply == Bottleneck::Disk || supply == Bottleneck::SendBuffer;
    // ngtcp2 fills whole packets as long as there is any room.
    if (would_send && ngtcp2_conn_get_cwnd_left2(conn.get()) == 0) {
        return Bottleneck::Congestion;
    }
    if (!waits) {
        return supply;
    }
    if (quota.refused()) {
        return quota.paused()   ? Bottleneck::Paused
               : quota.yields() ? Bottleneck::Congestion
                                : Bottleneck::RateLimit;
    }
    const bool blocked = ngtcp2_conn_get_max_data_left2(conn.get()) == 0 ||
                         std::ranges::none_of(sending, [](const SendStream *stream) {
                             return stream->sendable() && !stream->blocked;
                         });
    return blocked ? Bottleneck::FlowControl : Bottleneck::Pacing;
}

Connection::Statistics Connection::statistics(Timestamp now) const {
    const auto &state = *state_;
    auto statistics = state.counts;
    statistics.congestion_control = state.congestion_control;
    statistics.limited_by = state.limits.present();
    statistics.limited_for = state.limits.times(now);
    if (!state.conn) {
        return statistics;
    }
    ngtcp2_conn_info info;
    ngtcp2_conn_get_conn_info2(state.conn.get(), &info);
    // Without a sample the least one is the most that there is, and the smoothed one a guess.
    if (info.min_rtt != std::numeric_limits<std::uint64_t>::max()) {
        statistics.smoothed_rtt = info.smoothed_rtt;
        statistics.min_rtt = info.min_rtt;
        statistics.latest_rtt = info.latest_rtt;
    }
    statistics.congestion_window = info.cwnd;
    statistics.pacing_rate = pacing_rate(state.conn.get());
    statistics.bytes_in_flight = info.bytes_in_flight;
    if (info.ssthresh != std::numeric_limits<std::uint64_t>::max()) {
        statistics.slow_start_threshold = info.ssthresh;
    }
    statistics.packets_sent = info.pkt_sent;
    statistics.bytes_sent = info.bytes_sent;
    statistics.packets_received = info.pkt_recv;
    statistics.bytes_received = info.bytes_recv;
    statistics.packets_lost = info.pkt_lost;
    statistics.bytes_lost = info.bytes_lost;
    statistics.packets_late = packets_late(state.conn.get());
    statistics.datagram_bytes =
        state.limit.bytes(ngtcp2_conn_get_path_max_tx_udp_payload_size2(state.conn.get()));
    return statistics;
}

Connection::Stall Connection::stall() const {
    const auto &state = *state_;
    Stall stall;
    stall.limited = state.quota.limited();
    stall.last_acknowledged = state.last_acknowledged;
    if (!state.conn) {
        return stall;
    }
    ngtcp2_conn_info info;
    ngtcp2_conn_get_conn_info2(state.conn.get(), &info);
    stall.bytes_in_flight = info.bytes_in_flight;
    const bool open = ngtcp2_conn_get_max_data_left2(state.conn.get()) > 0;
    stall.flow_blocked =
        state.unsent > 0 && std::ranges::none_of(state.sending, [&](const SendStream *stream) {
            return open && stream->unsent() > 0 &&
                   ngtcp2_conn_get_max_stream_data_left2(state.conn.get(), stream->id()) > 0;
        });
    return stall;
}

} // namespace thru
