// One QUIC connection (RFC 9000) between two paired computers. No sockets, no clock, no threads:
// datagrams and timestamps in, datagrams out through a DatagramPath. Used on one thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/bytes.h"
#include "base/chunk.h"
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

/// Chosen by the kind of path: BBR limits itself below 100 us, CUBIC collapses on long lossy paths.
enum class CongestionControl : std::uint8_t { Cubic, Bbr };

/// Longest round trip of a local network: cables take less than 1 ms, idle radio 1 to 3 ms.
inline constexpr Timestamp kLocalRoundTrip = 2 * kMillisecond;

/// Data that a receiver accepts before it is on the disk, in bytes. At first a stalled disk matters
/// more than the path. The maximum covers 1.2 Gbit/s at 300 ms with loss.
inline constexpr std::uint64_t kConnectionWindow = 64ULL << 20;
inline constexpr std::uint64_t kMaxConnectionWindow = 256ULL << 20;

/// Largest UDP payload that fits IPv4 and IPv6 over Ethernet.
inline constexpr std::array<std::uint16_t, 1> kEthernetDatagramBytes{1452};

/// A path as one connection measured it, for the next one (Careful Resume, RFC 9959).
struct SavedPath {
    /// Bytes that the path delivers in a round trip.
    std::uint64_t window = 0;
    /// The least round trip, in nanoseconds.
    Timestamp round_trip = 0;

    /// Bytes a second.
    std::uint64_t rate() const { return window * kSecond / std::max(round_trip, Timestamp{1}); }
};

/// The use of a SavedPath by a connection.
enum class CarefulResume : std::uint8_t {
    /// Nothing was saved, or it does not fit the path.
    None,
    /// Waits for data and for the path's round trip.
    Pending,
    Jumped,
    /// The jump caused congestion and was undone.
    Retreated,
};

struct ConnectionSettings {
    CongestionControl congestion_control = CongestionControl::Bbr;
    /// If not 0: the connection uses CUBIC while the path's minimum round trip is at most this
    /// long, and BBR otherwise. Overrides `congestion_control`. In nanoseconds.
    Timestamp cubic_up_to = 0;
    /// CUBIC is used only while datagrams travel in a TCP stream, which hides losses.
    bool cubic_in_streams_only = false;
    /// UDP payload sizes for path MTU discovery, in bytes, not empty, each above the 1,200 that
    /// every path carries. They are tried in order; sizes below one that arrived or above one that
    /// failed are skipped. Must stay valid until the connection has begun.
    std::span<const std::uint16_t> datagram_bytes = kEthernetDatagramBytes;
    /// Bytes that a receiver accepts before they are on the disk: initial and maximum.
    std::uint64_t connection_window = kConnectionWindow;
    std::uint64_t max_connection_window = kMaxConnectionWindow;
    /// Server: allows the streams and datagrams that a browser requires for WebTransport.
    bool for_browser = false;
    /// Receives the connection's qlog; null disables it.
    std::shared_ptr<QlogSink> qlog{};
    /// Draws random bytes for probe times and skipped packet numbers in tests; empty: the system's.
    std::function<void(MutableByteView)> draw{};
};

/// Events while datagrams are read. Calls may queue writes and credit, but not end the connection.
class ConnectionListener {
public:
    virtual ~ConnectionListener() = default;
    /// This side finished the handshake: streams may be opened. A server that rejects this side's
    /// certificate reports it slightly later.
    virtual void on_established() = 0;
    virtual void on_stream_data(StreamId stream, ByteView bytes, bool fin) = 0;
    virtual void on_stream_reset(StreamId stream) = 0;
    /// Both ends finished a stream: all its data, or its reset, is acknowledged.
    virtual void on_stream_closed(StreamId stream) = 0;
};

/// Content of a unidirectional stream.
enum class StreamUse : std::uint8_t {
    /// File content, subject to rate limits and the pause.
    Data,
    /// Messages that the other side needs in any case.
    Messages,
};

/// The end of a connection.
struct Closed {
    /// Empty if the other side closed it without an error.
    std::optional<Error> error;
    bool by_peer = false;
};

/// The reason why a flush ended.
enum class FlushOutcome : std::uint8_t {
    /// Nothing may be sent before the deadline or the next datagram.
    Idle,
    /// The path accepts no more datagrams for now.
    PathBusy,
    /// More can be sent; read arrived datagrams first.
    More,
};

struct ConnectionState;

class Connection {
public:
    /// The receiver's end. `context` comes from Identity::client_context.
    static Result<std::unique_ptr<Connection>> client(SslCtxPtr context,
                                                      const ConnectionSettings &settings,
                                                      ConnectionListener &listener, Timestamp now);
    /// The sender's end; it begins with the client's first datagram.
    static std::unique_ptr<Connection> server(SslCtxPtr context, const ConnectionSettings &settings,
                                              ConnectionListener &listener);
    ~Connection();
    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;

    /// Takes datagrams that arrived over one path, laid out as in DatagramPath::send. If the other
    /// side has moved, this side follows once the new path is validated.
    void on_datagrams(ByteView bytes, std::size_t segment_bytes, Timestamp now,
                      const PathId &from = {});
    /// Sends data within the limits of congestion control, pacing and credit.
    FlushOutcome flush(DatagramPath &path, Timestamp now);
    /// Time of the next on_deadline call; kNever when closed or not begun.
    Timestamp deadline() const;
    void on_deadline(Timestamp now);

    /// The program was suspended for `slept` nanoseconds and read nothing that arrived meanwhile.
    /// Beyond the idle timeout the connection ends with PeerGone; else it probes the other side.
    void on_wake(Timestamp slept, Timestamp now);
    /// This computer's network has changed: probes the other side immediately. With `path_is_gone`
    /// the connection is silent until the other side is heard.
    void on_network_change(bool path_is_gone, Timestamp now);
    /// An outside source reports the other side gone: probes it, with a third of the usual time.
    void probe_peer(Timestamp now);
    /// Earlier probes used a path that is now abandoned. Probes the other side over the new one;
    /// the connection becomes silent if no answer arrives within a third of the usual time.
    void on_path_left(Timestamp now);
    /// Datagrams no longer travel in a stream, because that lost much: the connection uses BBR
    /// until its end, and soon finds the largest datagrams that the path carries.
    void on_lossy_stream_left(Timestamp now);
    /// True if a probe went unanswered for about a second. The other side may still answer.
    bool silent() const;

    /// The path in use.
    PathId path_id() const;
    /// Client: probes another local path and switches to it when the answer arrives, or immediately
    /// if the current one is silent. False if a probe is unanswered or less than a second old.
    bool move_to(std::uint16_t local, Timestamp now);

    bool established() const;
    /// 32 bytes known only to the two ends of this connection (RFC 8446 section 7.5). Requires
    /// `established`. Internal when the library fails.
    Result<SecretKey> exported(std::string_view label, ByteView context) const;
    /// Set once the connection has ended; nothing happens after that.
    const std::optional<Closed> &closed() const;

    /// nullopt while the other side allows no more streams.
    std::optional<StreamId> open_bidirectional();
    std::optional<StreamId> open_unidirectional(StreamUse use = StreamUse::Data);
    /// Queues data; chunks are buffered until acknowledged. Nothing may follow `fin`.
    void write(StreamId stream, Chunk chunk, bool fin);
    /// Queues a copy of `bytes`.
    void write(StreamId stream, ByteView bytes, bool fin);
    /// Resets a sending stream: queued data is dropped and the other side is informed.
    void reset(StreamId stream);
    /// While paused, packets carry no StreamUse::Data except retransmissions. Control data,
    /// acknowledgements and keep-alives continue. Takes effect at the next flush.
    void set_paused(bool paused);
    /// Limits the rate of StreamUse::Data, counted in payload bytes sent for the first time. Both
    /// limits apply. Connections that share `shared` get equal parts. Either may be null; both
    /// outlive the connection. A changed rate takes effect at the next flush.
    void set_limiters(RateLimiter *shared, RateLimiter *own);

    /// A rate limit applies to StreamUse::Data, or it yields to other traffic.
    bool data_limited() const;

    /// StreamUse::Data uses only capacity that other traffic leaves, and yields it when that
    /// traffic grows. Takes effect at the next flush.
    void set_background(bool enabled);
    bool background() const;

    /// Jumps to half of the saved window if the current path turns out to be the saved one. Call
    /// this once established. Has no effect with CUBIC, or with an unpatched library.
    void use_saved_path(const SavedPath &saved);
    /// True if the connection began on a local network, and its least round trip shows no long path
    /// behind it.
    bool is_near() const;
    /// The current path as measured, also after the end; nullopt if unknown or not worth saving.
    std::optional<SavedPath> measured_path() const;
    /// Bytes a second that the path carries as measured, or else the present pace; nullopt if
    /// neither is known.
    std::optional<std::uint64_t> path_rate() const;

    /// Queued bytes of all streams that are not acknowledged yet, and those never sent.
    std::uint64_t unacknowledged_bytes() const;
    std::uint64_t unsent_bytes() const;
    /// The same for one stream; 0 once it has ended.
    std::uint64_t unacknowledged_bytes(StreamId stream) const;
    std::uint64_t unsent_bytes(StreamId stream) const;

    /// Gives credit for consumed bytes. Only control and manifest streams get stream credit.
    void consume_connection(std::uint64_t bytes);
    void consume_stream(StreamId stream, std::uint64_t bytes);

    /// Bytes passed to the listener and not consumed yet: credit that the other side lacks.
    std::uint64_t unconsumed_bytes() const;
    /// Bytes accepted before `consume_connection`; grows with the path's needs.
    std::uint64_t connection_window() const;
    /// Unacknowledged bytes needed to keep the path full, by present estimates.
    std::uint64_t bytes_to_fill_path() const;

    /// Allows the other side another unidirectional stream in place of one that is finished here.
    /// The initial number of streams stays the limit.
    void allow_stream();

    /// Ends the connection and sends a CONNECTION_CLOSE; its reason carries the error's name.
    void close(const std::optional<Error> &error, DatagramPath &path, Timestamp now);
    /// End of the closing period, in which each flush answers arriving packets with the
    /// CONNECTION_CLOSE (RFC 9000 section 10.2.1: three PTO). 0 when there is nothing to answer.
    Timestamp closing_until() const;

    /// Sets the reason why this side has nothing to send or, at the receiver, why no more arrives.
    /// Call it before each flush; it holds until the next call.
    void set_supply(Bottleneck why);

    /// Figures since the connection began. Times are in nanoseconds.
    struct Statistics {
        /// 0 until the first sample. Latest and minimum include the other side's delay.
        Timestamp smoothed_rtt = 0;
        Timestamp min_rtt = 0;
        Timestamp latest_rtt = 0;
        /// Time between the first datagram and the end of the handshake; 0 until then.
        Timestamp handshake = 0;
        CongestionControl congestion_control = CongestionControl::Bbr;
        CarefulResume careful_resume = CarefulResume::None;
        std::uint64_t congestion_window = 0;
        /// Bytes a second that pacing allows; 0: no limit. nullopt: unknown.
        std::optional<std::uint64_t> pacing_rate{};
        std::uint64_t bytes_in_flight = 0;
        /// nullopt before any congestion, and always with BBR.
        std::optional<std::uint64_t> slow_start_threshold;
        /// QUIC packets and their bytes. Lost ones were declared lost, even if they arrive later;
        /// probes of the path's MTU are not counted.
        std::uint64_t packets_sent = 0;
        std::uint64_t bytes_sent = 0;
        std::uint64_t packets_received = 0;
        std::uint64_t bytes_received = 0;
        std::uint64_t packets_lost = 0;
        std::uint64_t bytes_lost = 0;
        /// Lost packets that the other side acknowledged within a probe timeout; nullopt: unknown.
        std::optional<std::uint64_t> packets_late{};
        /// Largest UDP payload sent at present, in bytes.
        std::size_t datagram_bytes = 0;
        /// Calls that sent or brought datagrams, and the datagrams in them.
        std::uint64_t sends = 0;
        std::uint64_t datagrams_sent = 0;
        std::uint64_t receives = 0;
        std::uint64_t datagrams_received = 0;
        /// The current bottleneck, and the time spent on each since the handshake.
        Bottleneck limited_by = Bottleneck::Peer;
        BottleneckTimes limited_for{};
    };
    Statistics statistics(Timestamp now) const;

    /// Explains why data does not move. If none applies, no data is queued or sending is paused.
    struct Stall {
        /// Queued data waits only for credit: the other side's disk is slow, or it paused.
        bool flow_blocked = false;
        /// Data waited for a limiter in the last flush.
        bool limited = false;
        /// Bytes of packets that are neither acknowledged nor lost.
        std::uint64_t bytes_in_flight = 0;
        /// Time of the last progress: stream data acknowledged in order, or data sent when none was
        /// in flight. 0 before any was sent.
        Timestamp last_acknowledged = 0;
    };
    Stall stall() const;

private:
    explicit Connection(std::unique_ptr<ConnectionState> state);
    std::unique_ptr<ConnectionState> state_;
};

} // namespace thru
