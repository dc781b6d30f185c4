#include "quic/packet_writer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/prefetch.h"
#include "quic/connection_state.h"
#include "quic/ngtcp2_patches.h"

namespace thru {

namespace {

/// Packets per send: one UDP_SEGMENT call takes 64 KiB. 44 instead of 16 saves a fifth of the CPU.
constexpr std::size_t kBurstPackets = 44;
constexpr std::size_t kMaxBurstBytes = 65'507;
/// Bursts before arrived datagrams are read: longer runs delay acknowledgements.
constexpr int kBurstsPerFlush = 8;
/// Chunks considered for one packet: two cover every boundary between chunks.
constexpr std::size_t kChunkSlots = 2;
/// Packets by which the source is prefetched into the cache: saves a fifth of the sender's CPU.
constexpr std::size_t kPrefetchPackets = 3;
constexpr std::size_t kCacheLine = 64;
/// PTOs without progress until large datagrams count as lost: two probes are unanswered by then.
constexpr int kBlackHolePtos = 3;

void prefetch_ahead(ByteView data, std::size_t packet) {
    const auto begin = std::min(data.size(), kPrefetchPackets * packet);
    const auto end = std::min(data.size(), begin + packet);
    for (auto at = begin; at < end; at += kCacheLine) {
        prefetch_read(data.data() + at);
    }
}

std::size_t path_max(const ngtcp2_conn *conn) {
    return ngtcp2_conn_get_path_max_tx_udp_payload_size2(conn);
}

DatagramLimit::Losses losses(const ngtcp2_conn *conn) {
    ngtcp2_conn_info info;
    ngtcp2_conn_get_conn_info2(conn, &info);
    return {.packets = info.pkt_lost, .bytes = info.bytes_lost};
}

} // namespace

ngtcp2_ssize PacketWriter::write_packet(ngtcp2_conn *conn, ngtcp2_path *path, ngtcp2_pkt_info *info,
                                        std::uint8_t *out, std::size_t size, ngtcp2_tstamp now,
                                        void *user) {
    auto &writer = static_cast<ConnectionState *>(user)->writer;
    if (writer.is_apart_) {
        return 0;
    }
    const auto written = writer.fill_packet(conn, path, info, out, size, now);
    if (out == writer.packets_.data() && written > 0) {
        writer.note_path(conn, *path);
    }
    return written;
}

void PacketWriter::note_path(ngtcp2_conn *conn, const ngtcp2_path &path) {
    path_id_ = path_id_of(path);
    is_apart_ = ngtcp2_path_eq(&path, ngtcp2_conn_get_path2(conn)) == 0;
}

ngtcp2_ssize PacketWriter::fill_packet(ngtcp2_conn *conn, ngtcp2_path *out_path,
                                       ngtcp2_pkt_info *info, std::uint8_t *out, std::size_t size,
                                       ngtcp2_tstamp now) {
    // The first packet of a burst has room for a probe of MTU discovery.
    const auto packet = std::min(size, path_max(conn));
    for (auto *stream : streams_.sending()) {
        while (!stream->blocked && stream->sendable()) {
            if (stream->limited() && !quota_.grant()) {
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
            const std::uint32_t flags = padding_ | (end ? NGTCP2_WRITE_STREAM_FLAG_FIN : 0U) |
                                        (offered < packet ? NGTCP2_WRITE_STREAM_FLAG_MORE : 0U);
            ngtcp2_ssize accepted = -1;
            const auto written =
                ngtcp2_conn_writev_stream(conn, out_path, info, out, size, &accepted, flags,
                                          stream->id(), vectors.data(), filled, now);
            if (accepted >= 0) {
                streams_.advance(*stream, static_cast<std::uint64_t>(accepted));
                if (stream->limited()) {
                    quota_.spend(static_cast<std::uint64_t>(accepted));
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
    return ngtcp2_conn_writev_stream(conn, out_path, info, out, size, nullptr, padding_, -1,
                                     nullptr, 0, now);
}

void PacketWriter::watch_for_black_hole(const ngtcp2_conn *conn, Timestamp now) {
    if (streams_.under_way() && !in_stream_ && datagram_bytes(conn) > kBaseDatagramBytes &&
        now >= streams_.last_acknowledged() + kBlackHolePtos * ngtcp2_conn_get_pto2(conn)) {
        limit_.lower(now);
    }
}

void PacketWriter::on_stream_left(const ngtcp2_conn *conn, Timestamp now) {
    in_stream_ = false;
    if (datagram_bytes(conn) > kBaseDatagramBytes) {
        limit_.lower(now);
        limit_.probe_from(now + kBlackHolePtos * ngtcp2_conn_get_pto2(conn));
    }
}

std::size_t PacketWriter::datagram_bytes(const ngtcp2_conn *conn) const {
    return limit_.bytes(path_max(conn));
}

ngtcp2_ssize PacketWriter::fill_limited_burst(ngtcp2_conn *conn, std::size_t largest,
                                              std::size_t capacity, Timestamp now) {
    const auto burst = std::min(capacity, ngtcp2_conn_get_send_quantum2(conn));
    std::size_t filled = 0;
    while (filled == 0 || (filled + largest <= burst && !is_apart_)) {
        ngtcp2_path_storage out_path;
        ngtcp2_path_storage_zero(&out_path);
        ngtcp2_pkt_info info{};
        const auto written = fill_packet(conn, &out_path.path, &info, packets_.data() + filled,
                                         std::min(largest, packets_.size() - filled), now);
        if (written < 0) {
            return written;
        }
        if (filled == 0) {
            segment_ = static_cast<std::size_t>(written);
            if (written > 0) {
                note_path(conn, out_path.path);
            }
        }
        filled += static_cast<std::size_t>(written);
        if (static_cast<std::size_t>(written) < largest) {
            break;
        }
    }
    ngtcp2_conn_update_pkt_tx_time(conn, now);
    return static_cast<ngtcp2_ssize>(filled);
}

ngtcp2_ssize PacketWriter::fill_burst(ngtcp2_conn *conn, Timestamp now) {
    const auto packet = path_max(conn);
    const auto capacity = std::min(kBurstPackets * packet, kMaxBurstBytes / packet * packet);
    packets_.resize(std::max(packets_.size(), capacity));
    is_apart_ = false;
    if (!limit_.lowered()) {
        ngtcp2_path_storage out_path;
        ngtcp2_path_storage_zero(&out_path);
        ngtcp2_pkt_info info{};
        return ngtcp2_conn_write_aggregate_pkt(conn, &out_path.path, &info, packets_.data(),
                                               capacity, &segment_, write_packet, now);
    }
    limit_.evaluate_probe(packet, now, streams_.last_acknowledged(), losses(conn));
    if (const auto probe = limit_.probe_bytes(packet);
        limit_.may_probe(now) && streams_.unsent() > probe) {
        const auto before = losses(conn);
        padding_ = NGTCP2_WRITE_STREAM_FLAG_PADDING;
        const auto written = fill_limited_burst(conn, probe, probe, now);
        padding_ = 0;
        // A shorter packet, for example with acknowledgements alone, doesn't test the probe's size.
        if (written == static_cast<ngtcp2_ssize>(probe)) {
            limit_.probed(probe, now, ngtcp2_conn_get_pto2(conn), before);
        }
        return written;
    }
    return fill_limited_burst(conn, limit_.bytes(packet), capacity, now);
}

std::expected<FlushOutcome, int> PacketWriter::send(ngtcp2_conn *conn, DatagramPath &out,
                                                    Timestamp now) {
    for (int burst = 0; burst < kBurstsPerFlush; ++burst) {
        if (begin_ == end_) {
            const auto written = fill_burst(conn, now);
            if (written < 0) {
                return std::unexpected(static_cast<int>(written));
            }
            if (written == 0) {
                return FlushOutcome::Idle;
            }
            begin_ = 0;
            end_ = static_cast<std::size_t>(written);
        }
        const auto burst_bytes = ByteView{packets_}.subspan(begin_, end_ - begin_);
        const auto sent = out.send(burst_bytes, segment_, path_id_);
        // The refusal of an MTU discovery probe is its result, not a black hole.
        if (sent.too_large && segment_ > kBaseDatagramBytes && segment_ <= path_max(conn)) {
            limit_.refused(segment_, now);
        }
        begin_ += sent.bytes;
        if (sent.bytes > 0 && std::exchange(in_stream_, sent.in_stream) < sent.in_stream) {
            restart_mtu_discovery(conn);
        }
        ++sends_;
        datagrams_sent_ += (sent.bytes + segment_ - 1) / segment_;
        if (sent.bytes < burst_bytes.size()) {
            return FlushOutcome::PathBusy;
        }
    }
    return FlushOutcome::More;
}

} // namespace thru
