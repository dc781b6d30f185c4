// What a Connection holds; shared by the files of this folder only.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include <ngtcp2/ngtcp2.h>
#include <ngtcp2/ngtcp2_crypto.h>
#include <ngtcp2/ngtcp2_crypto_ossl.h>
#include <openssl/ssl.h>

#include "quic/bdp_estimator.h"
#include "quic/connection.h"
#include "quic/datagram_limit.h"
#include "quic/liveness.h"
#include "quic/send_quota.h"
#include "quic/send_stream.h"
#include "quic/tuple.h"
#include "quic/yielding_window.h"

namespace thru {

/// Without a sign of life the connection is over after this long; Liveness says much sooner that
/// something is wrong.
inline constexpr ngtcp2_duration kIdleTimeout = 120 * NGTCP2_SECONDS;
inline constexpr ngtcp2_duration kKeepAlive = 6 * NGTCP2_SECONDS;

struct ConnDeleter {
    void operator()(ngtcp2_conn *conn) const { ngtcp2_conn_del(conn); }
};
struct SslDeleter {
    void operator()(SSL *ssl) const {
        // ngtcp2's helper reads the application data while SSL is torn down.
        SSL_set_app_data(ssl, nullptr);
        SSL_free(ssl);
    }
};
struct CryptoContextDeleter {
    void operator()(ngtcp2_crypto_ossl_ctx *context) const { ngtcp2_crypto_ossl_ctx_del(context); }
};

struct ConnectionState {
    ConnectionState(bool is_server, SslCtxPtr context, const ConnectionSettings &chosen,
                    ConnectionListener &owner)
        : server(is_server), settings(chosen), listener(owner), tls_context(std::move(context)),
          congestion_control(chosen.congestion_control), window(chosen.connection_window) {}

    bool server;
    ConnectionSettings settings;
    ConnectionListener &listener;
    SslCtxPtr tls_context;
    // Order of destruction: connection, then the SSL object, then what it points to.
    std::unique_ptr<ngtcp2_crypto_ossl_ctx, CryptoContextDeleter> crypto;
    std::unique_ptr<SSL, SslDeleter> ssl;
    std::unique_ptr<ngtcp2_conn, ConnDeleter> conn;
    ngtcp2_crypto_conn_ref conn_ref{};
    /// The client's: the path that is used, the one that it wants to move to, and the one before,
    /// on which datagrams may still come.
    std::optional<Tuple> current{Way{}};
    std::optional<Tuple> moving;
    std::optional<Tuple> previous;
    /// How often the client wanted to move, and when it may again.
    std::uint16_t turn = 0;
    Timestamp move_from = 0;
    /// The server's: that of the datagram that is read.
    std::optional<Tuple> arrived_by;
    /// nullptr for a way on which the client knows nobody.
    Tuple *tuple_of(const Way &from);
    /// It bears one of this side's ids.
    bool is_for_this(ByteView datagram) const;
    /// The client moves to where the server is now.
    void consider_move(ByteView datagram, const Way &from, Timestamp now);
    /// False when it can't now.
    bool move_to(const Way &way, Timestamp now);
    /// The same without waiting for an answer. A server whose congestion window is full of what
    /// went by a path that broke answers no challenge: it follows what is no probe, with a new one.
    bool jump_to(const Way &way, Timestamp now);
    void on_path_validated(const ngtcp2_path &path);
    void on_path_refused(const ngtcp2_path &path);

    /// At present.
    CongestionControl congestion_control;
    /// Chooses it by the round trip, where that decides.
    void choose_congestion_control(Timestamp now);

    bool established = false;
    /// The other side said STOP_SENDING.
    bool stopped = false;
    std::optional<Closed> closed;
    /// A listener's streams; the order in `sending` is the order of sending.
    std::unordered_map<StreamId, std::unique_ptr<SendStream>> send_streams;
    std::vector<SendStream *> sending;
    std::uint64_t buffered = 0;
    std::uint64_t unsent = 0;
    std::uint64_t unconsumed = 0;
    /// Of the receiver's end: what it takes on.
    std::uint64_t window;
    BdpEstimator bdp;
    /// Measures the path, and lets the window follow.
    void measure_path(Timestamp now);
    /// Where it leaves room for others.
    std::optional<YieldingWindow> yielding;
    Timestamp seen_smoothed_rtt = 0;
    std::uint64_t seen_carried = 0;
    /// Looks whether the datagram that was read brought a round trip.
    void measure_round_trip(Timestamp now);
    /// Of the whole connection; kNever when none was measured.
    Timestamp least_round_trip() const;
    /// Bytes that may be sent now and leave room for others.
    std::uint64_t room_beside_others() const;
    SendQuota quota;
    /// Time of the datagram being read, for callbacks that don't get it as an argument.
    Timestamp reading_at = 0;
    Timestamp last_acknowledged = 0;
    /// What was sent last went in a stream.
    bool in_stream = false;
    Timestamp last_stream_data = 0;
    /// When the first datagram was made or arrived.
    Timestamp begun_at = 0;
    /// What is counted here; ngtcp2 counts the rest.
    Connection::Statistics counts;
    Bottleneck supply = Bottleneck::Peer;
    BottleneckClock limits;
    /// What holds it up after a flush that ended so.
    Bottleneck bottleneck(FlushOutcome outcome) const;

    /// Server: datagrams of a first flight whose beginning is still on its way. A ClientHello with
    /// ML-KEM fills two, and ngtcp2 starts with the one that holds its first byte only.
    std::vector<Bytes> ahead;

    /// A burst that the path took only in part.
    Bytes packets;
    std::size_t packets_begin = 0;
    std::size_t packets_end = 0;
    std::size_t packet_segment = 0;
    /// By which it goes.
    Way packet_way;
    /// What is in it goes by another way than what would follow.
    bool burst_is_apart = false;
    /// Notes the way of the first packet in a burst.
    void note_way(const ngtcp2_path &path);

    /// Creates the ngtcp2 and TLS objects. `first` is the client's first datagram at the server.
    /// PeerProtocol when it is not the beginning of a connection.
    Result<> begin(ByteView first, Timestamp now);
    /// Undoes `begin`.
    void forget_beginning();
    /// Takes one datagram.
    void read(ByteView datagram, const Way &from, Timestamp now);
    /// What the library's error means for the owner; informs the other side when possible.
    void fail_with(int library_error, Timestamp now);
    void drop_stream(StreamId stream);
    /// Ends the connection; nothing else happens then.
    void end(Closed how);

    /// Fills bursts and gives them to the path until it, credit, pacing or the quota stops it.
    FlushOutcome send_bursts(DatagramPath &out, Timestamp now);
    /// Bytes put into `packets`, or ngtcp2's error; `packet_segment` is the size of all but the
    /// last packet.
    ngtcp2_ssize fill_burst(Timestamp now);
    /// As ngtcp2_conn_write_aggregate_pkt, with packets no larger than `largest`.
    ngtcp2_ssize fill_limited_burst(std::size_t largest, std::size_t capacity, Timestamp now);
    /// Fills one packet with stream data; ngtcp2_write_pkt.
    ngtcp2_ssize fill_packet(ngtcp2_path *out_path, ngtcp2_pkt_info *info, std::uint8_t *out,
                             std::size_t size, ngtcp2_tstamp now);
    DatagramLimit limit{settings.datagram_bytes};
    /// NGTCP2_WRITE_STREAM_FLAG_PADDING while a probe of the limit is written, which has exactly
    /// its size.
    std::uint32_t padding = 0;
    /// Lowers the limit when data in flight gets nowhere.
    void watch_for_black_hole(Timestamp now);
    DatagramLimit::Losses losses() const;

    /// Looks whether what was read came from the other side.
    void note_life(Timestamp now);
    /// Has a PING sent when the other side has to show that it is there.
    void ask_if_due(Timestamp now);
    /// The PING is in a packet.
    void restore_keep_alive();
    Liveness liveness;
    std::uint64_t packets_heard = 0;
    bool asking = false;

    /// Ends the connection here; the CONNECTION_CLOSE waits for the next flush.
    void close_with(const std::optional<Error> &error, Timestamp now);
    /// Writes the CONNECTION_CLOSE and begins the closing period (RFC 9000 section 10.2.1).
    void write_farewell(const ngtcp2_ccerr &reason, Timestamp now);
    void send_farewell(DatagramPath &out);
    /// Counts what the other side sends in the closing period; the answers become rarer.
    void heard_in_closing();
    /// CONNECTION_CLOSE of this side.
    Bytes farewell;
    bool farewell_due = false;
    Timestamp closing_until = 0;
    std::uint64_t heard = 0;
};

/// Callbacks for either role.
ngtcp2_callbacks connection_callbacks(bool server);

/// Name of an error in a CONNECTION_CLOSE: its reason phrase, and a number that is 0 for none.
inline constexpr std::uint64_t kApplicationOk = 0;
inline constexpr std::uint64_t kApplicationError = 1;

} // namespace thru
