// The sending side: puts streams into packets, and packets into bursts. Private to this folder.
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
    /// `sizes` as in ConnectionSettings::datagram_bytes; the others must outlive this.
    PacketWriter(SendStreams &streams, SendQuota &quota, std::span<const std::uint16_t> sizes)
        : streams_(streams), quota_(quota), limit_(sizes) {}

    /// Sends bursts until path, credit, pacing or quota stops it, or returns ngtcp2's error.
    std::expected<FlushOutcome, int> send(ngtcp2_conn *conn, DatagramPath &out, Timestamp now);

    /// Lowers the datagram size when data in flight does not arrive.
    void watch_for_black_hole(const ngtcp2_conn *conn, Timestamp now);
    /// A new path is in use: discards the findings about the previous one.
    void begin_path(std::span<const std::uint16_t> sizes) { limit_ = DatagramLimit(sizes); }
    /// The path carries datagrams without a stream again, perhaps only smaller ones.
    void on_stream_left(const ngtcp2_conn *conn, Timestamp now);
    /// The last datagrams were sent over a stream.
    bool in_stream() const { return in_stream_; }
    /// The largest datagram sent at present, in bytes.
    std::size_t datagram_bytes(const ngtcp2_conn *conn) const;
    /// See Connection::Statistics.
    std::uint64_t sends() const { return sends_; }
    std::uint64_t datagrams_sent() const { return datagrams_sent_; }

private:
    /// Returns the bytes in `packets_`, each packet but the last of size `segment_`, or an error.
    ngtcp2_ssize fill_burst(ngtcp2_conn *conn, Timestamp now);
    /// Like ngtcp2_conn_write_aggregate_pkt, with packets no larger than `largest`.
    ngtcp2_ssize fill_limited_burst(ngtcp2_conn *conn, std::size_t largest, std::size_t capacity,
                                    Timestamp now);
    /// Implements ngtcp2_write_pkt.
    static ngtcp2_ssize write_packet(ngtcp2_conn *conn, ngtcp2_path *path, ngtcp2_pkt_info *info,
                                     std::uint8_t *out, std::size_t size, ngtcp2_tstamp now,
                                     void *user);
    ngtcp2_ssize fill_packet(ngtcp2_conn *conn, ngtcp2_path *path, ngtcp2_pkt_info *info,
                             std::uint8_t *out, std::size_t size, ngtcp2_tstamp now);
    /// Records the path of the first packet in a burst.
    void note_path(ngtcp2_conn *conn, const ngtcp2_path &path);

    SendStreams &streams_;
    SendQuota &quota_;
    DatagramLimit limit_;
    /// A burst that the path accepted only in part.
    Bytes packets_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::size_t segment_ = 0;
    PathId path_id_;
    /// The next packet uses another path, so the burst ends here.
    bool is_apart_ = false;
    /// NGTCP2_WRITE_STREAM_FLAG_PADDING while a probe of exact size is written.
    std::uint32_t padding_ = 0;
    bool in_stream_ = false;
    std::uint64_t sends_ = 0;
    std::uint64_t datagrams_sent_ = 0;
};

} // namespace thru
