#include <algorithm>
#include <limits>

#include "quic/connection_state.h"
#include "quic/ngtcp2_patches.h"

namespace thru {

/// Only the sender judges: a receiver's packets don't determine how fast data arrives.
Bottleneck bottleneck_of(const ConnectionState &state, FlushOutcome outcome) {
    const auto supply = state.supply;
    const auto &quota = state.quota;
    const auto &sending = state.streams.sending();
    if (!state.server) {
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
    // ngtcp2 fills whole packets while the window has any room.
    if (would_send && ngtcp2_conn_get_cwnd_left2(state.conn()) == 0) {
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
    const bool blocked = ngtcp2_conn_get_max_data_left2(state.conn()) == 0 ||
                         std::ranges::none_of(sending, [](const SendStream *stream) {
                             return stream->sendable() && !stream->blocked;
                         });
    return blocked ? Bottleneck::FlowControl : Bottleneck::Pacing;
}

Connection::Statistics statistics_of(const ConnectionState &state, Timestamp now) {
    auto statistics = state.counts;
    statistics.sends = state.writer.sends();
    statistics.datagrams_sent = state.writer.datagrams_sent();
    statistics.congestion_control = state.library.congestion_control();
    statistics.limited_by = state.limits.present();
    statistics.limited_for = state.limits.times(now);
    if (state.conn() == nullptr) {
        return statistics;
    }
    ngtcp2_conn_info info;
    ngtcp2_conn_get_conn_info2(state.conn(), &info);
    // Without a sample the minimum is the largest value and the smoothed one a guess.
    if (info.min_rtt != std::numeric_limits<std::uint64_t>::max()) {
        statistics.smoothed_rtt = info.smoothed_rtt;
        statistics.min_rtt = info.min_rtt;
        statistics.latest_rtt = info.latest_rtt;
    }
    statistics.careful_resume = careful_resume(state.conn());
    statistics.congestion_window = info.cwnd;
    statistics.pacing_rate = pacing_rate(state.conn());
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
    statistics.packets_late = packets_late(state.conn());
    statistics.datagram_bytes = state.writer.datagram_bytes(state.conn());
    return statistics;
}

Connection::Stall stall_of(const ConnectionState &state) {
    Connection::Stall stall;
    stall.limited = state.quota.limited();
    stall.last_acknowledged = state.streams.last_acknowledged();
    if (state.conn() == nullptr) {
        return stall;
    }
    ngtcp2_conn_info info;
    ngtcp2_conn_get_conn_info2(state.conn(), &info);
    stall.bytes_in_flight = info.bytes_in_flight;
    const bool open = ngtcp2_conn_get_max_data_left2(state.conn()) > 0;
    stall.flow_blocked =
        state.streams.unsent() > 0 &&
        std::ranges::none_of(state.streams.sending(), [&](const SendStream *stream) {
            return open && stream->unsent() > 0 &&
                   ngtcp2_conn_get_max_stream_data_left2(state.conn(), stream->id()) > 0;
        });
    return stall;
}

} // namespace thru
