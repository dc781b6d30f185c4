// The sending side: which stream goes into the next packet, and packets into bursts for one send.
// Shared by the files of this folder only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>

#include <ngtcp2/ngtcp2.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "net/datagram_path.h"
#include "quic/connection.h"
#include "quic/datagram_limit.h"
#include "quic/send_quota.h"
#include "quic/send_streams.h"

namespace thru {

class PacketWriter {
public:
    /// `sizes` as in ConnectionSettings::datagram_bytes; the others outlive this.
    PacketWriter(SendStreams &streams, SendQuota &quota, std::span<const std::uint16_t> sizes)
        : streams_(streams), quota_(quota), limit_(sizes) {}

    /// Fills bursts and gives them to the path until it, credit, pacing or the quota stops it, or
    /// ngtcp2 fails with the number that is returned.
    std::expected<FlushOutcome, int> send(ngtcp2_conn *conn, DatagramPath &out, Timestamp now);

    /// Lowers the size of datagrams when data in flight gets nowhere.
    void watch_for_black_hole(const ngtcp2_conn *conn, Timestamp now);
    /// Another path is used: what was found out about the last one says nothing of this one.
    void begin_path(std::span<const std::uint16_t> sizes) { limit_ = DatagramLimit(sizes); }
    /// The largest datagram that is sent now.
    std::size_t datagram_bytes(const ngtcp2_conn *conn) const;
    /// See Connection::Statistics.
    std::uint64_t sends() const { return sends_; }
    std::uint64_t datagrams_sent() const { return datagrams_sent_; }

private:
    /// Bytes put into `packets_`, or ngtcp2's error; `segment_` is the size of all but the last
    /// packet.
    ngtcp2_ssize fill_burst(ngtcp2_conn *conn, Timestamp now);
    /// Like ngtcp2_conn_write_aggregate_pkt, with packets no larger than `largest`.
    ngtcp2_ssize fill_limited_burst(ngtcp2_conn *conn, std::size_t largest, std::size_t capacity,
                                    Timestamp now);
    /// An ngtcp2_write_pkt.
    static ngtcp2_ssize write_packet(ngtcp2_conn *conn, ngtcp2_path *path, ngtcp2_pkt_info *info,
                                     std::uint8_t *out, std::size_t size, ngtcp2_tstamp now,
                                     void *user);
    /// Fills one packet with stream data.
    ngtcp2_ssize fill_packet(ngtcp2_conn *conn, ngtcp2_path *path, ngtcp2_pkt_info *info,
                             std::uint8_t *out, std::size_t size, ngtcp2_tstamp now);
    /// Notes the way of the first packet in a burst.
    void note_way(ngtcp2_conn *conn, const ngtcp2_path &path);

    SendStreams &streams_;
    SendQuota &quota_;
    DatagramLimit limit_;
    /// A burst that the path took only in part.
    Bytes packets_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::size_t segment_ = 0;
    /// The path it goes by.
    Way way_;
    /// Its content goes by another way than what would follow.
    bool is_apart_ = false;
    /// NGTCP2_WRITE_STREAM_FLAG_PADDING while a probe of the limit is written, which has exactly
    /// its size.
    std::uint32_t padding_ = 0;
    /// The last datagrams went in a stream.
    bool in_stream_ = false;
    std::uint64_t sends_ = 0;
    std::uint64_t datagrams_sent_ = 0;
};

} // namespace thru
