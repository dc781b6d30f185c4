// One QUIC connection (RFC 9000) between two paired computers. No sockets, no clock, no threads:
// datagrams and timestamps in, datagrams out through a DatagramPath. Used on one thread.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/buffer_pool.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/rate_limiter.h"
#include "crypto/identity.h"
#include "crypto/secret_key.h"
#include "net/datagram_path.h"
#include "quic/bottleneck.h"
#include "quic/qlog_sink.h"

namespace thru {

using StreamId = std::int64_t;

/// Congestion control, chosen by the kind of path: BBR limits itself below 100 us of round trip,
/// CUBIC collapses on long lossy paths.
enum class CongestionControl : std::uint8_t { Cubic, Bbr };

/// The longest round trip that is one of a local network: cables take less than 1 ms, and radio
/// without others on it 1 to 3 ms.
inline constexpr Timestamp kLocalRoundTrip = 2 * kMillisecond;

/// Data a receiver takes on before the disk has it, in bytes: at first, where a pause of the disk
/// counts more than the path, and at most, on paths that hold much themselves. The latter
/// covers 1.2 Gbit/s at 300 ms with loss.
inline constexpr std::uint64_t kConnectionWindow = 64ULL << 20;
inline constexpr std::uint64_t kMaxConnectionWindow = 256ULL << 20;

/// What IPv4 and IPv6 over Ethernet take.
inline constexpr std::array<std::uint16_t, 1> kEthernetDatagramBytes{1452};

struct ConnectionSettings {
    CongestionControl congestion_control = CongestionControl::Bbr;
    /// Other than 0: CUBIC while the least round trip that was measured on the path is no longer
    /// than this, and BBR otherwise, whatever the connection began with. In nanoseconds.
    Timestamp cubic_up_to = 0;
    /// Sizes of UDP payload for path MTU discovery, in bytes, each above the 1,200 that every path
    /// takes, not empty. Tried in this order, but for those below one that arrived or above one
    /// that did not. Has to stay until the connection has begun.
    std::span<const std::uint16_t> datagram_bytes = kEthernetDatagramBytes;
    /// Data a receiver takes on before the disk has it, in bytes: at first, and as far as the path
    /// needs more, at most.
    std::uint64_t connection_window = kConnectionWindow;
    std::uint64_t max_connection_window = kMaxConnectionWindow;
    /// Gets the connection's qlog; null for none.
    std::shared_ptr<QlogSink> qlog{};
    /// Fills bytes by which the times of probes are drawn, and packet numbers that are left out;
    /// empty for the system's random bytes. For tests that have to run alike each time.
    std::function<void(MutableByteView)> draw{};
};

/// What a connection tells while it reads datagrams. Calls may queue writes and credit; they must
/// not close or destroy the connection.
class ConnectionListener {
public:
    virtual ~ConnectionListener() = default;
    /// The handshake is done here: streams may be opened. A server that refuses this side's
    /// certificate says so a moment later.
    virtual void on_established() = 0;
    virtual void on_stream_data(StreamId stream, ByteView bytes, bool fin) = 0;
    /// The sender took the stream back.
    virtual void on_stream_reset(StreamId stream) = 0;
    /// A stream is over for both ends: all of it, or its reset, is acknowledged.
    virtual void on_stream_closed(StreamId stream) = 0;
};

/// What a stream of one direction carries.
enum class StreamUse : std::uint8_t {
    /// Content of files: rate limits and the pause apply to it.
    Data,
    /// What the other side has to know in any case.
    Messages,
};

/// How a connection ended.
struct Closed {
    /// None when the other side closed it in good order.
    std::optional<Error> error;
    bool by_peer = false;
};

/// Why a flush ended.
enum class FlushOutcome : std::uint8_t {
    /// Nothing may be sent before the deadline or the next datagram.
    Idle,
    /// The path takes no more now.
    PathBusy,
    /// There is more; look at what came in first.
    More,
};

struct ConnectionState;

class Connection {
public:
    /// The receiver's end. `context` comes from Identity::client_context.
    static Result<std::unique_ptr<Connection>> client(SslCtxPtr context,
                                                      const ConnectionSettings &settings,
                                                      ConnectionListener &listener, Timestamp now);
    /// The sender's end; it comes to life with the client's first datagram.
    static std::unique_ptr<Connection> server(SslCtxPtr context, const ConnectionSettings &settings,
                                              ConnectionListener &listener);
    ~Connection();
    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;

    /// Takes datagrams laid out as in DatagramPath::send, which came by one way. Where the other
    /// side turns out to be elsewhere, this one follows it once it has answered there.
    void on_datagrams(ByteView bytes, std::size_t segment_bytes, Timestamp now,
                      const Way &from = {});
    /// Sends what congestion control, pacing and credit allow.
    FlushOutcome flush(DatagramPath &path, Timestamp now);
    /// When to call on_deadline, kNever when closed or not begun.
    Timestamp deadline() const;
    void on_deadline(Timestamp now);

    /// The program stood still for `slept` nanoseconds, and nothing that arrived meanwhile was read
    /// yet. Beyond the idle timeout the connection ends with PeerGone; else the other side is asked
    /// for a sign of life.
    void on_wake(Timestamp slept, Timestamp now);
    /// The network of this computer has changed: asks the other side at once, whenever it was heard
    /// last. It is silent from now on when the `path_is_gone`, until it is heard nevertheless.
    void on_network_change(bool path_is_gone, Timestamp now);
    /// Somebody who may know says that the other side is gone: asks it at once, and gives it a
    /// third of the usual time.
    void on_suspicion(Timestamp now);
    /// All that was asked so far went by a way that is left now: the other side is asked by another
    /// one, and is silent only when it doesn't answer that either, within a third of the usual
    /// time.
    void on_way_left(Timestamp now);
    /// The other side was asked for a sign of life and gave none in time, about a second. It may
    /// still come back, until the idle timeout.
    bool silent() const;

    /// By which path it goes at present.
    Way way() const;
    /// Client: asks for an answer by another of this side's paths, and goes by that one once it has
    /// come; at once where the present one is silent. False when nothing can be asked now: an
    /// answer is still awaited, or the last time was less than a second ago.
    bool move_to(std::uint16_t local, Timestamp now);

    bool established() const;
    /// Bytes that only the two ends of this connection can know (RFC 8446 section 7.5), 32 of them.
    /// Only when established. Internal when the library fails.
    Result<SecretKey> exported(std::string_view label, ByteView context) const;
    /// Set once the connection is over; nothing else happens then.
    const std::optional<Closed> &closed() const;

    /// nullopt when the other side allows no more streams for now.
    std::optional<StreamId> open_bidirectional();
    std::optional<StreamId> open_unidirectional(StreamUse use = StreamUse::Data);
    /// Queues data; chunks are buffered until acknowledged. Nothing may follow `fin`.
    void write(StreamId stream, Chunk chunk, bool fin);
    /// Queues a copy of `bytes`.
    void write(StreamId stream, ByteView bytes, bool fin);
    /// Resets a sending stream: what is queued is dropped, and the other side is told.
    void reset(StreamId stream);
    /// While paused, nothing of StreamUse::Data goes into packets but retransmissions. Control
    /// data, acknowledgements and keep-alives continue. Pausing and resuming take effect at the
    /// next flush.
    void set_paused(bool paused);
    /// StreamUse::Data, in bytes of payload sent for the first time, goes only as
    /// far as both allow. `shared` may serve other connections: those that want to send get equal
    /// parts. Either may be null; both outlive the connection. A changed rate takes effect at the
    /// next flush.
    void set_limiters(RateLimiter *shared, RateLimiter *own);

    /// StreamUse::Data takes only what others leave of the path, and gives it up when they want
    /// more. Takes effect at the next flush.
    void set_leaves_room(bool leaves);
    bool leaves_room() const;

    /// Bytes queued on all streams that are not acknowledged yet, and those of them never sent.
    std::uint64_t unacknowledged_bytes() const;
    std::uint64_t unsent_bytes() const;
    /// The same for one stream; 0 when it is over.
    std::uint64_t unacknowledged_bytes(StreamId stream) const;
    std::uint64_t unsent_bytes(StreamId stream) const;

    /// Gives the other side credit for received bytes that were consumed. Stream credit is given
    /// for streams longer than one segment only (control, manifest).
    void consume_connection(std::uint64_t bytes);
    void consume_stream(StreamId stream, std::uint64_t bytes);

    /// Bytes that were handed to the listener and not consumed: credit that the other side lacks.
    std::uint64_t unconsumed_bytes() const;
    /// What this side takes on at present before `consume_connection`: grows with the path's needs.
    std::uint64_t connection_window() const;
    /// What may be unacknowledged so that the path never waits for it, as far as is known.
    std::uint64_t bytes_to_fill_path() const;

    /// Lets the other side open one more unidirectional stream, for one of its own that is over and
    /// done with here: as many as there were at first can be under way.
    void allow_stream();

    /// Ends the connection and sends a CONNECTION_CLOSE; its reason carries the error's name.
    void close(const std::optional<Error> &error, DatagramPath &path, Timestamp now);
    /// Until when this side, after it closed, answers what still arrives with its CONNECTION_CLOSE,
    /// at each flush (RFC 9000 section 10.2.1: three PTO); 0 when there is nothing to answer.
    Timestamp closing_until() const;

    /// What this side knows that the connection can't: why it has nothing to send, or at the
    /// receiver why no more comes. Holds until the next call; to be called before each flush.
    void set_supply(Bottleneck why);

    /// Figures since the connection began. Times are in nanoseconds.
    struct Statistics {
        /// 0 until there was a first sample; the latest and the least one as measured, without the
        /// other side's delay taken off.
        Timestamp smoothed_rtt = 0;
        Timestamp min_rtt = 0;
        Timestamp latest_rtt = 0;
        /// From the first datagram to the end of the handshake; 0 until then.
        Timestamp handshake = 0;
        CongestionControl congestion_control = CongestionControl::Bbr;
        std::uint64_t congestion_window = 0;
        /// Bytes a second beyond which packets are held back; 0: none are. nullopt: not known.
        std::optional<std::uint64_t> pacing_rate{};
        std::uint64_t bytes_in_flight = 0;
        /// nullopt while there was no congestion, and always with BBR.
        std::optional<std::uint64_t> slow_start_threshold;
        /// QUIC packets and their bytes. Lost ones are those that loss detection gave up, also when
        /// they arrive later; probes for the path's MTU are not among them.
        std::uint64_t packets_sent = 0;
        std::uint64_t bytes_sent = 0;
        std::uint64_t packets_received = 0;
        std::uint64_t bytes_received = 0;
        std::uint64_t packets_lost = 0;
        std::uint64_t bytes_lost = 0;
        /// Of the lost ones, those that the other side had after all, if it said so within a probe
        /// timeout; nullopt: not known.
        std::optional<std::uint64_t> packets_late{};
        /// Largest UDP payload that is sent now, in bytes.
        std::size_t datagram_bytes = 0;
        /// Calls that sent or brought datagrams, and how many of these.
        std::uint64_t sends = 0;
        std::uint64_t datagrams_sent = 0;
        std::uint64_t receives = 0;
        std::uint64_t datagrams_received = 0;
        /// What holds it up now, and for how long each did since the handshake.
        Bottleneck limited_by = Bottleneck::Peer;
        BottleneckTimes limited_for{};
    };
    Statistics statistics(Timestamp now) const;

    /// Why data does not move. With nothing in flight, not blocked and not limited there is nothing
    /// to send, or it is paused.
    struct Stall {
        /// Queued data waits for credit alone: the other side's disk is slow or it paused.
        bool flow_blocked = false;
        /// Data waited for a limiter in the last flush.
        bool limited = false;
        /// Bytes of packets sent and neither acknowledged nor lost.
        std::uint64_t bytes_in_flight = 0;
        /// When data last got through: the last acknowledgement of stream data in order, or when
        /// data set out after none was under way. 0 before any was sent.
        Timestamp last_acknowledged = 0;
    };
    Stall stall() const;

private:
    explicit Connection(std::unique_ptr<ConnectionState> state);
    std::unique_ptr<ConnectionState> state_;
};

} // namespace thru
