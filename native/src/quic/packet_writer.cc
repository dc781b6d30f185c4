// The sending side: which stream goes into the next packet, and packets into bursts for one send.
#include <algorithm>
#include <array>

#include "base/prefetch.h"
#include "quic/connection_state.h"

namespace thru {

namespace {

/// Packets in one send: what Linux takes in one UDP_SEGMENT call is 64 KiB; 44 instead of 16 saves
/// about a fifth of the sender's CPU.
constexpr std::size_t kBurstPackets = 44;
constexpr std::size_t kMaxBurstBytes = 65'507;
/// Bursts before the loop looks at what came in: longer runs delay acknowledgements.
constexpr int kBurstsPerFlush = 8;
/// Chunks looked at for one packet: two cover every boundary between chunks.
constexpr std::size_t kChunkSlots = 2;
/// How far ahead of the packet's data the source is fetched into the cache, in packets. Takes about
/// a fifth off the sender's CPU, most of which waits for memory.
constexpr std::size_t kPrefetchPackets = 3;
constexpr std::size_t kCacheLine = 64;
/// Without a sign of data for so long, large datagrams are taken to vanish: the second probe of
/// loss detection has not been answered then.
constexpr int kBlackHolePtos = 3;

void prefetch_ahead(ByteView data, std::size_t packet) {
    const auto begin = std::min(data.size(), kPrefetchPackets * packet);
    const auto end = std::min(data.size(), begin + packet);
    for (auto at = begin; at < end; at += kCacheLine) {
        prefetch_read(data.data() + at);
    }
}

ngtcp2_ssize write_packet(ngtcp2_conn *, ngtcp2_path *path, ngtcp2_pkt_info *info,
                          std::uint8_t *out, std::size_t size, ngtcp2_tstamp now, void *user) {
    auto &state = *static_cast<ConnectionState *>(user);
    if (state.burst_is_apart) {
        return 0;
    }
    const auto written = state.fill_packet(path, info, out, size, now);
    if (out == state.packets.data() && written > 0) {
        state.note_way(*path);
    }
    return written;
}

} // namespace

void ConnectionState::note_way(const ngtcp2_path &path) {
    packet_way = way_of(path);
    burst_is_apart = ngtcp2_path_eq(&path, ngtcp2_conn_get_path2(conn.get())) == 0;
}

ngtcp2_ssize ConnectionState::fill_packet(ngtcp2_path *out_path, ngtcp2_pkt_info *info,
                                          std::uint8_t *out, std::size_t size, ngtcp2_tstamp now) {
    // The first of a burst has room for a probe of MTU discovery.
    const auto packet = std::min(size, ngtcp2_conn_get_path_max_tx_udp_payload_size2(conn.get()));
    for (auto *stream : sending) {
        while (!stream->blocked && stream->sendable()) {
            if (stream->limited() && !quota.grant()) {
                break;
            }
            std::array<ByteView, kChunkSlots> slots;
            const auto filled = stream->next(slots);
            std::array<ngtcp2_vec, kChunkSlots> vectors{};
            std::size_t offered = 0;
            for (std::size_t index = 0; index < filled; ++index) {
                // ngtcp2 only reads the data; its vector type has no const.
                vectors.at(index) = {const_cast<std::uint8_t *>(slots.at(index).data()),
                                     slots.at(index).size()};
                offered += slots.at(index).size();
            }
            if (filled > 0) {
                prefetch_ahead(slots[0], packet);
            }
            const bool end = stream->ends_within(kChunkSlots);
            const std::uint32_t flags = padding | (end ? NGTCP2_WRITE_STREAM_FLAG_FIN : 0U) |
                                        (offered < packet ? NGTCP2_WRITE_STREAM_FLAG_MORE : 0U);
            ngtcp2_ssize accepted = -1;
            const auto written =
                ngtcp2_conn_writev_stream(conn.get(), out_path, info, out, size, &accepted, flags,
                                          stream->id(), vectors.data(), filled, now);
            if (accepted >= 0) {
                stream->advance(static_cast<std::uint64_t>(accepted));
                unsent -= static_cast<std::uint64_t>(accepted);
                if (stream->limited()) {
                    quota.spend(static_cast<std::uint64_t>(accepted));
                }
                if (end && static_cast<std::size_t>(accepted) == offered) {
                    stream->end_sent();
                }
            }
            if (written == NGTCP2_ERR_WRITE_MORE) {
                continue;
            }
            if (written == NGTCP2_ERR_STREAM_DATA_BLOCKED || written == NGTCP2_ERR_STREAM_SHUT_WR ||
                written == NGTCP2_ERR_STREAM_NOT_FOUND) {
                stream->blocked = true;
                continue;
            }
            return written;
        }
    }
    return ngtcp2_conn_writev_stream(conn.get(), out_path, info, out, size, nullptr, padding, -1,
                                     nullptr, 0, now);
}

DatagramLimit::Losses ConnectionState::losses() const {
    ngtcp2_conn_info info;
    ngtcp2_conn_get_conn_info2(conn.get(), &info);
    return {.packets = info.pkt_lost, .bytes = info.bytes_lost};
}

void ConnectionState::watch_for_black_hole(Timestamp now) {
    const bool under_way = buffered != unsent;
    const auto discovered = ngtcp2_conn_get_path_max_tx_udp_payload_size2(conn.get());
    if (under_way && !in_stream && limit.bytes(discovered) > kBaseDatagramBytes &&
        now >= last_acknowledged + kBlackHolePtos * ngtcp2_conn_get_pto2(conn.get())) {
        limit.lower(now);
    }
}

void ConnectionState::send_farewell(DatagramPath &out) {
    if (farewell_due) {
        farewell_due = out.send_last(farewell, packet_way).bytes == 0;
    }
}

ngtcp2_ssize ConnectionState::fill_limited_burst(std::size_t largest, std::size_t capacity,
                                                 Timestamp now) {
    const auto burst = std::min(capacity, ngtcp2_conn_get_send_quantum2(conn.get()));
    std::size_t filled = 0;
    while (filled == 0 || (filled + largest <= burst && !burst_is_apart)) {
        ngtcp2_path_storage out_path;
        ngtcp2_path_storage_zero(&out_path);
        ngtcp2_pkt_info info{};
        const auto written = fill_packet(&out_path.path, &info, packets.data() + filled,
                                         std::min(largest, packets.size() - filled), now);
        if (written < 0) {
            return written;
        }
        if (filled == 0) {
            packet_segment = static_cast<std::size_t>(written);
            if (written > 0) {
                note_way(out_path.path);
            }
        }
        filled += static_cast<std::size_t>(written);
        if (static_cast<std::size_t>(written) < largest) {
            break;
        }
    }
    ngtcp2_conn_update_pkt_tx_time(conn.get(), now);
    return static_cast<ngtcp2_ssize>(filled);
}

ngtcp2_ssize ConnectionState::fill_burst(Timestamp now) {
    const auto packet = ngtcp2_conn_get_path_max_tx_udp_payload_size2(conn.get());
    const auto capacity = std::min(kBurstPackets * packet, kMaxBurstBytes / packet * packet);
    packets.resize(std::max(packets.size(), capacity));
    burst_is_apart = false;
    if (!limit.lowered()) {
        ngtcp2_path_storage out_path;
        ngtcp2_path_storage_zero(&out_path);
        ngtcp2_pkt_info info{};
        return ngtcp2_conn_write_aggregate_pkt(conn.get(), &out_path.path, &info, packets.data(),
                                               capacity, &packet_segment, write_packet, now);
    }
    limit.evaluate_probe(packet, now, last_acknowledged, losses());
    if (const auto probe = limit.probe_bytes(packet); limit.may_probe(now) && unsent > probe) {
        const auto before = losses();
        padding = NGTCP2_WRITE_STREAM_FLAG_PADDING;
        const auto written = fill_limited_burst(probe, probe, now);
        padding = 0;
        // A shorter one, as of acknowledgements alone, says nothing of the probe's size.
        if (written == static_cast<ngtcp2_ssize>(probe)) {
            limit.probed(probe, now, ngtcp2_conn_get_pto2(conn.get()), before);
        }
        return written;
    }
    return fill_limited_burst(limit.bytes(packet), capacity, now);
}

FlushOutcome ConnectionState::send_bursts(DatagramPath &out, Timestamp now) {
    for (int burst = 0; burst < kBurstsPerFlush; ++burst) {
        if (packets_begin == packets_end) {
            const auto written = fill_burst(now);
            if (written < 0) {
                fail_with(static_cast<int>(written), now);
                send_farewell(out);
            }
            if (written <= 0) {
                return FlushOutcome::Idle;
            }
            packets_begin = 0;
            packets_end = static_cast<std::size_t>(written);
        }
        const auto burst_bytes =
            ByteView{packets}.subspan(packets_begin, packets_end - packets_begin);
        const auto sent = out.send(burst_bytes, packet_segment, packet_way);
        // A probe of MTU discovery may be refused: that is its answer.
        if (sent.too_large && packet_segment > kBaseDatagramBytes &&
            packet_segment <= ngtcp2_conn_get_path_max_tx_udp_payload_size2(conn.get())) {
            limit.refused(packet_segment, now);
        }
        packets_begin += sent.bytes;
        in_stream = sent.bytes > 0 ? sent.in_stream : in_stream;
        ++counts.sends;
        counts.datagrams_sent += (sent.bytes + packet_segment - 1) / packet_segment;
        if (sent.bytes < burst_bytes.size()) {
            return FlushOutcome::PathBusy;
        }
    }
    return FlushOutcome::More;
}

FlushOutcome Connection::flush(DatagramPath &path, Timestamp now) {
    auto &state = *state_;
    state.send_farewell(path);
    if (!state.conn || state.closed) {
        return FlushOutcome::Idle;
    }
    bool wanted = false;
    for (auto *stream : state.sending) {
        stream->blocked = false;
        wanted = wanted || stream->limited();
    }
    const bool nothing_under_way = state.buffered == state.unsent;
    if (state.yielding) {
        state.quota.set_room(state.room_beside_others());
    }
    state.quota.begin(wanted, now);
    const auto outcome = state.send_bursts(path, now);
    if (state.closed) {
        return outcome;
    }
    if (outcome == FlushOutcome::Idle) {
        state.restore_keep_alive();
    }
    state.quota.end(now);
    if (state.yielding) {
        ngtcp2_conn_info info;
        ngtcp2_conn_get_conn_info2(state.conn.get(), &info);
        const bool short_of_data = state.unsent == 0 || state.quota.paused() ||
                                   state.quota.limited() ||
                                   ngtcp2_conn_get_max_data_left2(state.conn.get()) == 0;
        state.yielding->on_sent(info.bytes_in_flight, short_of_data);
    }
    if (state.established) {
        state.limits.enter(state.bottleneck(outcome), now);
    }
    if (nothing_under_way && state.buffered != state.unsent) {
        state.last_acknowledged = now;
    }
    std::erase_if(state.sending, [](const SendStream *stream) { return !stream->sendable(); });
    return outcome;
}

} // namespace thru
