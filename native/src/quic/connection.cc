#include "quic/connection.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "crypto/random.h"
#include "quic/connection_state.h"
#include "quic/ngtcp2_patches.h"

namespace thru {

namespace {

constexpr ngtcp2_duration kHandshakeTimeout = 10 * NGTCP2_SECONDS;
/// One segment's stream: 8 MiB of data, its header and hash. Beyond about 8 MiB a lossy path runs
/// into ngtcp2's limit of 4,000 gaps a stream. A stream gets no more credit than this at once, so
/// less would hold segments up for ever.
constexpr std::uint64_t kStreamWindow = (8ULL << 20) + (128ULL << 10);
constexpr std::uint64_t kControlWindow = 256ULL << 10;
constexpr std::uint64_t kUnidirectionalStreams = 256;
/// Frames that change nothing. Data that comes twice is among them, and a path that reorders makes
/// a sender repeat a whole window for nothing: the library's default of 10,000 and 330 a second
/// ends honest connections. This is the largest window that follows a path, in packets, or four
/// of those at first, and then a fifth of the packets of 1 Gbit/s, which take 2 % of a core.
constexpr std::uint64_t kGlitches = 200'000;
constexpr std::uint64_t kGlitchesPerSecond = 20'000;
/// Each path takes one, and one that was given up is replaced a round trip later.
constexpr std::uint64_t kConnectionIds = 8;
constexpr std::size_t kClientDcidBytes = 16;
constexpr std::size_t kScidBytes = 8;
/// A ClientHello takes two datagrams; a few repeats fit as well.
constexpr std::size_t kMaxAhead = 8;

ngtcp2_conn *conn_of(ngtcp2_crypto_conn_ref *ref) {
    return static_cast<ConnectionState *>(ref->user_data)->conn.get();
}

void write_qlog(void *user, std::uint32_t, const void *data, std::size_t size) {
    const ByteView record{static_cast<const std::uint8_t *>(data), size};
    // The end of the log has no record. ngtcp2 begins none for a packet of padding alone: it hands
    // on the record before once more, with the end of this one behind it.
    if (!record.empty() && std::ranges::find(record, '\n') == record.end() - 1) {
        static_cast<ConnectionState *>(user)->settings.qlog->write(record);
    }
}

ngtcp2_cc_algo algorithm_of(CongestionControl congestion_control) {
    return congestion_control == CongestionControl::Bbr ? NGTCP2_CC_ALGO_BBR : NGTCP2_CC_ALGO_CUBIC;
}

ngtcp2_settings library_settings(const ConnectionSettings &chosen, Timestamp now) {
    ngtcp2_settings settings;
    ngtcp2_settings_default(&settings);
    settings.initial_ts = now;
    settings.cc_algo = algorithm_of(chosen.congestion_control);
    settings.max_tx_udp_payload_size = std::ranges::max(chosen.datagram_bytes);
    settings.pmtud_probes = chosen.datagram_bytes.data();
    settings.pmtud_probeslen = chosen.datagram_bytes.size();
    settings.ack_thresh = 10;
    settings.handshake_timeout = kHandshakeTimeout;
    settings.glitch_ratelim_burst = kGlitches;
    settings.glitch_ratelim_rate = kGlitchesPerSecond;
    settings.qlog_write = chosen.qlog ? write_qlog : nullptr;
    return settings;
}

ngtcp2_transport_params transport_parameters(bool server, const ConnectionSettings &chosen) {
    ngtcp2_transport_params params;
    ngtcp2_transport_params_default(&params);
    // Only the receiver (client) takes bulk data; only the sender (server) takes a control stream.
    params.initial_max_streams_bidi = server ? 1 : 0;
    params.initial_max_streams_uni = server ? 0 : kUnidirectionalStreams;
    params.initial_max_stream_data_bidi_local = kControlWindow;
    params.initial_max_stream_data_bidi_remote = kControlWindow;
    params.initial_max_stream_data_uni = kStreamWindow;
    params.initial_max_data = server ? kControlWindow : chosen.connection_window;
    params.max_idle_timeout = kIdleTimeout;
    params.active_connection_id_limit = kConnectionIds;
    return params;
}

} // namespace

Result<> ConnectionState::begin(ByteView first, Timestamp now) {
    begun_at = now;
    const auto path = current->path();
    const auto callbacks = connection_callbacks(server);
    auto library = library_settings(settings, now);
    library.rand_ctx.native_handle = settings.draw ? &settings.draw : nullptr;
    auto params = transport_parameters(server, settings);

    ngtcp2_cid own{};
    own.datalen = kScidBytes;
    random_bytes({own.data, own.datalen});
    ngtcp2_conn *created = nullptr;
    int outcome = 0;
    if (server) {
        ngtcp2_pkt_hd header;
        if (ngtcp2_accept(&header, first.data(), first.size()) != 0) {
            return fail(ErrorCode::PeerProtocol, 0, "not a QUIC Initial packet");
        }
        if (settings.qlog) {
            settings.qlog->begin({header.dcid.data, header.dcid.datalen}, true);
        }
        params.original_dcid = header.dcid;
        params.original_dcid_present = 1;
        outcome = ngtcp2_conn_server_new(&created, &header.scid, &own, &path, header.version,
                                         &callbacks, &library, &params, nullptr, this);
    } else {
        ngtcp2_cid other{};
        other.datalen = kClientDcidBytes;
        random_bytes({other.data, other.datalen});
        if (settings.qlog) {
            settings.qlog->begin({other.data, other.datalen}, false);
        }
        outcome = ngtcp2_conn_client_new(&created, &other, &own, &path, NGTCP2_PROTO_VER_V1,
                                         &callbacks, &library, &params, nullptr, this);
    }
    if (outcome != 0) {
        return fail(ErrorCode::Internal, outcome, ngtcp2_strerror(outcome));
    }
    conn.reset(created);

    ssl.reset(SSL_new(tls_context.get()));
    ngtcp2_crypto_ossl_ctx *context = nullptr;
    if (!ssl || ngtcp2_crypto_ossl_ctx_new(&context, ssl.get()) != 0) {
        return fail(ErrorCode::Internal, 0, "TLS could not be set up");
    }
    crypto.reset(context);
    conn_ref = {conn_of, this};
    SSL_set_app_data(ssl.get(), &conn_ref);
    if (server) {
        ngtcp2_crypto_ossl_configure_server_session(ssl.get());
        SSL_set_accept_state(ssl.get());
    } else {
        ngtcp2_crypto_ossl_configure_client_session(ssl.get());
        SSL_set_connect_state(ssl.get());
    }
    ngtcp2_conn_set_tls_native_handle(conn.get(), crypto.get());
    ngtcp2_conn_set_keep_alive_timeout(conn.get(), kKeepAlive);
    return {};
}

void ConnectionState::forget_beginning() {
    conn.reset();
    ssl.reset();
    crypto.reset();
}

void ConnectionState::read(ByteView datagram, const Way &from, Timestamp now) {
    const bool beginning = !conn;
    // Anything may arrive on an open port; only a proper beginning begins.
    if (beginning && !begin(datagram, now)) {
        forget_beginning();
        return;
    }
    auto *tuple = tuple_of(from);
    if (tuple == nullptr) {
        consider_move(datagram, from, now);
        return;
    }
    const auto path = tuple->path();
    const ngtcp2_pkt_info info{};
    const auto outcome =
        ngtcp2_conn_read_pkt(conn.get(), &path, &info, datagram.data(), datagram.size(), now);
    // Both come before anything of a connection was processed, and say that this datagram can't be
    // its beginning: Retry when it continues a ClientHello, the other when it is damaged. ICE has
    // validated the address: instead of asking for a token the datagram waits for the beginning.
    if (outcome == NGTCP2_ERR_RETRY || outcome == NGTCP2_ERR_DROP_CONN) {
        forget_beginning();
        if (outcome == NGTCP2_ERR_RETRY && ahead.size() < kMaxAhead) {
            ahead.emplace_back(datagram.begin(), datagram.end());
        }
        return;
    }
    if (outcome != 0 || stopped) {
        fail_with(outcome != 0 ? outcome : NGTCP2_ERR_PROTO, now);
        return;
    }
    if (beginning) {
        for (const auto &waiting : std::exchange(ahead, {})) {
            if (!closed) {
                read(waiting, from, now);
            }
        }
    }
}

void ConnectionState::choose_congestion_control(Timestamp now) {
    if (settings.cubic_up_to == 0 || !kCongestionControlChanges) {
        return;
    }
    const auto wanted = least_round_trip() <= settings.cubic_up_to ? CongestionControl::Cubic
                                                                   : CongestionControl::Bbr;
    if (wanted != congestion_control) {
        congestion_control = wanted;
        set_congestion_control(conn.get(), algorithm_of(wanted), now);
    }
}

void ConnectionState::fail_with(int library_error, Timestamp now) {
    if (closed) {
        return;
    }
    if (library_error == NGTCP2_ERR_DRAINING) {
        const auto *reason = ngtcp2_conn_get_ccerr2(conn.get());
        Closed ended{.error = std::nullopt, .by_peer = true};
        if (reason->type == NGTCP2_CCERR_TYPE_APPLICATION && reason->error_code == kApplicationOk) {
            end(std::move(ended));
            return;
        }
        const std::string_view name{reinterpret_cast<const char *>(reason->reason),
                                    reason->reasonlen};
        const bool tls_refusal = reason->type == NGTCP2_CCERR_TYPE_TRANSPORT &&
                                 (reason->error_code & NGTCP2_CRYPTO_ERROR) != 0;
        const auto code = reason->type == NGTCP2_CCERR_TYPE_APPLICATION ? error_from_name(name)
                          : tls_refusal                                 ? ErrorCode::PeerIdentity
                                                                        : ErrorCode::PeerProtocol;
        ended.error = Error{code, static_cast<std::int64_t>(reason->error_code),
                            "the other side closed the connection"};
        end(std::move(ended));
        return;
    }
    const bool silent =
        library_error == NGTCP2_ERR_IDLE_CLOSE || library_error == NGTCP2_ERR_HANDSHAKE_TIMEOUT;
    const auto code = silent                               ? ErrorCode::PeerGone
                      : library_error == NGTCP2_ERR_CRYPTO ? ErrorCode::PeerIdentity
                      : library_error == NGTCP2_ERR_NOMEM || library_error == NGTCP2_ERR_INTERNAL
                          ? ErrorCode::Internal
                          : ErrorCode::PeerProtocol;
    end({.error = Error{code, library_error, ngtcp2_strerror(library_error)}, .by_peer = false});
    if (silent) {
        return;
    }
    ngtcp2_ccerr reason;
    ngtcp2_ccerr_default(&reason);
    if (library_error == NGTCP2_ERR_CRYPTO) {
        ngtcp2_ccerr_set_tls_alert(&reason, ngtcp2_conn_get_tls_alert2(conn.get()), nullptr, 0);
    } else {
        ngtcp2_ccerr_set_liberr(&reason, library_error, nullptr, 0);
    }
    write_farewell(reason, now);
}

void ConnectionState::write_farewell(const ngtcp2_ccerr &reason, Timestamp now) {
    farewell.resize(NGTCP2_MAX_UDP_PAYLOAD_SIZE);
    ngtcp2_path_storage out_path;
    ngtcp2_path_storage_zero(&out_path);
    ngtcp2_pkt_info info{};
    const auto written = ngtcp2_conn_write_connection_close(
        conn.get(), &out_path.path, &info, farewell.data(), farewell.size(), &reason, now);
    farewell.resize(written > 0 ? static_cast<std::size_t>(written) : 0);
    farewell_due = !farewell.empty();
    if (farewell_due) {
        packet_way = way_of(out_path.path);
    }
    closing_until = farewell_due ? now + 3 * ngtcp2_conn_get_pto2(conn.get()) : 0;
}

void ConnectionState::close_with(const std::optional<Error> &error, Timestamp now) {
    end({.error = error, .by_peer = false});
    if (!conn) {
        return;
    }
    ngtcp2_ccerr reason;
    ngtcp2_ccerr_default(&reason);
    const auto name = error ? as_bytes(error_name(error->code)) : ByteView{};
    ngtcp2_ccerr_set_application_error(&reason, error ? kApplicationError : kApplicationOk,
                                       name.data(), name.size());
    write_farewell(reason, now);
}

void ConnectionState::heard_in_closing() {
    ++heard;
    farewell_due = farewell_due || (!farewell.empty() && std::has_single_bit(heard));
}

void ConnectionState::end(Closed how) {
    closed = std::move(how);
    quota.leave();
}

void ConnectionState::drop_stream(StreamId stream) {
    const auto found = send_streams.find(stream);
    if (found == send_streams.end()) {
        return;
    }
    buffered -= found->second->buffered();
    unsent -= found->second->unsent();
    std::erase(sending, found->second.get());
    send_streams.erase(found);
}

Connection::Connection(std::unique_ptr<ConnectionState> state) : state_(std::move(state)) {}
Connection::~Connection() = default;

Result<std::unique_ptr<Connection>> Connection::client(SslCtxPtr context,
                                                       const ConnectionSettings &settings,
                                                       ConnectionListener &listener,
                                                       Timestamp now) {
    auto state = std::make_unique<ConnectionState>(false, std::move(context), settings, listener);
    if (auto begun = state->begin({}, now); !begun) {
        return std::unexpected(begun.error());
    }
    return std::unique_ptr<Connection>(new Connection(std::move(state)));
}

std::unique_ptr<Connection> Connection::server(SslCtxPtr context,
                                               const ConnectionSettings &settings,
                                               ConnectionListener &listener) {
    return std::unique_ptr<Connection>(new Connection(
        std::make_unique<ConnectionState>(true, std::move(context), settings, listener)));
}

void Connection::on_datagrams(ByteView bytes, std::size_t segment_bytes, Timestamp now,
                              const Way &from) {
    auto &state = *state_;
    state.reading_at = now;
    ++state.counts.receives;
    while (!bytes.empty()) {
        const auto datagram = bytes.first(std::min(segment_bytes, bytes.size()));
        bytes = bytes.subspan(datagram.size());
        ++state.counts.datagrams_received;
        if (state.closed) {
            state.heard_in_closing();
        } else {
            state.read(datagram, from, now);
            state.measure_round_trip(now);
        }
    }
    if (state.established && !state.closed) {
        state.choose_congestion_control(now);
        state.note_life(now);
        state.measure_path(now);
    }
}

Timestamp Connection::deadline() const {
    const auto &state = *state_;
    if (!state.conn || state.closed) {
        return kNever;
    }
    return std::min(
        {ngtcp2_conn_get_expiry2(state.conn.get()), state.quota.next(), state.liveness.deadline()});
}

void Connection::on_deadline(Timestamp now) {
    if (state_->established && !state_->closed) {
        state_->ask_if_due(now);
    }
    if (!state_->conn || state_->closed || ngtcp2_conn_get_expiry2(state_->conn.get()) > now) {
        return;
    }
    state_->watch_for_black_hole(now);
    if (const auto outcome = ngtcp2_conn_handle_expiry(state_->conn.get(), now); outcome != 0) {
        state_->fail_with(outcome, now);
    }
}

bool Connection::established() const { return state_->established; }

Result<SecretKey> Connection::exported(std::string_view label, ByteView context) const {
    SecretKey key;
    const auto out = key.mutable_view();
    if (SSL_export_keying_material(state_->ssl.get(), out.data(), out.size(), label.data(),
                                   label.size(), context.data(), context.size(), 1) != 1) {
        return fail(ErrorCode::Internal, 0, "TLS gave no exporter value");
    }
    return key;
}

const std::optional<Closed> &Connection::closed() const { return state_->closed; }

std::optional<StreamId> Connection::open_bidirectional() {
    StreamId stream = -1;
    if (ngtcp2_conn_open_bidi_stream(state_->conn.get(), &stream, nullptr) != 0) {
        return std::nullopt;
    }
    return stream;
}

std::optional<StreamId> Connection::open_unidirectional(StreamUse use) {
    StreamId stream = -1;
    if (ngtcp2_conn_open_uni_stream(state_->conn.get(), &stream, nullptr) != 0) {
        return std::nullopt;
    }
    state_->send_streams[stream] = std::make_unique<SendStream>(stream, use == StreamUse::Data);
    return stream;
}

void Connection::write(StreamId stream, Chunk chunk, bool fin) {
    auto &state = *state_;
    auto &slot = state.send_streams[stream];
    if (!slot) {
        slot = std::make_unique<SendStream>(stream, false);
    }
    state.buffered += chunk.size;
    state.unsent += chunk.size;
    slot->push(std::move(chunk), fin);
    if (std::ranges::find(state.sending, slot.get()) == state.sending.end()) {
        // Older streams first; the control stream is the oldest of all and small.
        const auto place = std::ranges::upper_bound(state.sending, stream, {}, &SendStream::id);
        state.sending.insert(place, slot.get());
    }
}

void Connection::write(StreamId stream, ByteView bytes, bool fin) {
    auto copy = std::make_shared<Bytes>(bytes.begin(), bytes.end());
    write(stream, Chunk{std::move(copy), bytes.size()}, fin);
}

void Connection::reset(StreamId stream) {
    state_->drop_stream(stream);
    if (state_->conn && !state_->closed) {
        ngtcp2_conn_shutdown_stream_write(state_->conn.get(), 0, stream, kApplicationError);
    }
}

void Connection::set_supply(Bottleneck why) { state_->supply = why; }

void Connection::set_paused(bool paused) { state_->quota.set_paused(paused); }

void Connection::set_limiters(RateLimiter *shared, RateLimiter *own) {
    state_->quota.set_limiters(shared, own);
}

std::uint64_t Connection::unacknowledged_bytes() const { return state_->buffered; }
std::uint64_t Connection::unsent_bytes() const { return state_->unsent; }

std::uint64_t Connection::unacknowledged_bytes(StreamId stream) const {
    const auto found = state_->send_streams.find(stream);
    return found == state_->send_streams.end() ? 0 : found->second->buffered();
}

std::uint64_t Connection::unsent_bytes(StreamId stream) const {
    const auto found = state_->send_streams.find(stream);
    return found == state_->send_streams.end() ? 0 : found->second->unsent();
}

std::uint64_t Connection::unconsumed_bytes() const { return state_->unconsumed; }

void Connection::consume_connection(std::uint64_t bytes) {
    state_->unconsumed -= std::min(state_->unconsumed, bytes);
    if (state_->conn && !state_->closed) {
        ngtcp2_conn_extend_max_offset(state_->conn.get(), bytes);
    }
}

void Connection::consume_stream(StreamId stream, std::uint64_t bytes) {
    if (state_->conn && !state_->closed) {
        ngtcp2_conn_extend_max_stream_offset(state_->conn.get(), stream, bytes);
    }
}

void Connection::allow_stream() {
    if (state_->conn && !state_->closed) {
        ngtcp2_conn_extend_max_streams_uni(state_->conn.get(), 1);
    }
}

void Connection::close(const std::optional<Error> &error, DatagramPath &path, Timestamp now) {
    auto &state = *state_;
    if (state.closed) {
        return;
    }
    state.close_with(error, now);
    state.send_farewell(path);
}

Timestamp Connection::closing_until() const { return state_->closing_until; }

} // namespace thru
