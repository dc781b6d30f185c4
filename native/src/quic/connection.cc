#include "quic/connection.h"

#include <algorithm>
#include <utility>

#include "quic/connection_state.h"
#include "quic/ngtcp2_patches.h"

namespace thru {

namespace {

/// A ClientHello takes two datagrams; a few repeats fit as well.
constexpr std::size_t kMaxAhead = 8;
/// Time after a sleep during which packets may predate it and prove nothing.
constexpr Timestamp kStaleDatagrams = 200 * kMillisecond;
/// A connection counts as busy this long after the last data.
constexpr Timestamp kBusyFor = 10 * kSecond;

} // namespace

void ConnectionState::read(ByteView datagram, const PathId &from, Timestamp now) {
    const bool beginning = conn() == nullptr;
    // Any datagram may arrive on an open port; only a valid first one begins a connection.
    if (beginning &&
        !library.begin(server, settings, migration.first_path(), datagram, *this, now)) {
        library.forget();
        return;
    }
    auto *tuple = migration.tuple_of(from);
    if (tuple == nullptr) {
        if (established) {
            migration.consider(conn(), datagram, from, now);
        }
        return;
    }
    const auto path = tuple->path();
    const ngtcp2_pkt_info info{};
    const auto outcome =
        ngtcp2_conn_read_pkt(conn(), &path, &info, datagram.data(), datagram.size(), now);
    // ngtcp2 returns both errors before it processes anything: Retry when the datagram continues a
    // ClientHello, DROP_CONN when it is damaged. ICE has validated the address, and a browser's
    // gets at most three times its bytes. So the datagram waits for the beginning, without a token.
    if (outcome == NGTCP2_ERR_RETRY || outcome == NGTCP2_ERR_DROP_CONN) {
        library.forget();
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
    const bool cubic = !lossy && min_round_trip(conn()) <= settings.cubic_up_to &&
                       (writer.in_stream() || !settings.cubic_in_streams_only);
    library.set_congestion_control(cubic ? CongestionControl::Cubic : CongestionControl::Bbr, now);
}

void ConnectionState::note_life(Timestamp now) {
    if (life.received(conn())) {
        const auto data_at = std::max(streams.last_acknowledged(), last_stream_data);
        liveness.on_received(now < data_at + kBusyFor, now);
    }
}

void ConnectionState::ask_if_due(Timestamp now) {
    if (now < liveness.deadline()) {
        return;
    }
    // The minimum: later estimates include acknowledgements that may be as old as a sleep.
    const auto least = min_round_trip(conn());
    if (liveness.asks(now, least == kNever ? kSecond : least)) {
        life.ask(conn());
    }
}

void ConnectionState::fail_with(int library_error, Timestamp now) {
    if (closed) {
        return;
    }
    if (library_error == NGTCP2_ERR_DRAINING) {
        const auto *reason = ngtcp2_conn_get_ccerr2(conn());
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
        ngtcp2_ccerr_set_tls_alert(&reason, ngtcp2_conn_get_tls_alert2(conn()), nullptr, 0);
    } else {
        ngtcp2_ccerr_set_liberr(&reason, library_error, nullptr, 0);
    }
    farewell.write(conn(), reason, now);
}

void ConnectionState::close_with(const std::optional<Error> &error, Timestamp now) {
    end({.error = error, .by_peer = false});
    if (conn() == nullptr) {
        return;
    }
    ngtcp2_ccerr reason;
    ngtcp2_ccerr_default(&reason);
    const auto name = error ? as_bytes(error_name(error->code)) : ByteView{};
    ngtcp2_ccerr_set_application_error(&reason, error ? kApplicationError : kApplicationOk,
                                       name.data(), name.size());
    farewell.write(conn(), reason, now);
}

void ConnectionState::end(Closed how) {
    closed = std::move(how);
    quota.leave();
}

Connection::Connection(std::unique_ptr<ConnectionState> state) : state_(std::move(state)) {}
Connection::~Connection() = default;

Result<std::unique_ptr<Connection>> Connection::client(SslCtxPtr context,
                                                       const ConnectionSettings &settings,
                                                       ConnectionListener &listener,
                                                       Timestamp now) {
    auto state = std::make_unique<ConnectionState>(false, std::move(context), settings, listener);
    if (auto begun = state->library.begin(false, state->settings, state->migration.first_path(), {},
                                          *state, now);
        !begun) {
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
                              const PathId &from) {
    auto &state = *state_;
    state.reading_at = now;
    ++state.counts.receives;
    while (!bytes.empty()) {
        const auto datagram = bytes.first(std::min(segment_bytes, bytes.size()));
        bytes = bytes.subspan(datagram.size());
        ++state.counts.datagrams_received;
        if (state.closed) {
            state.farewell.on_received();
        } else {
            state.read(datagram, from, now);
            if (state.alive()) {
                state.windows.measure_round_trip(state.conn(), now);
            }
        }
    }
    if (state.alive()) {
        state.choose_congestion_control(now);
        state.note_life(now);
        state.windows.measure_path(state.conn(), now);
    }
}

Timestamp Connection::deadline() const {
    const auto &state = *state_;
    if (state.conn() == nullptr || state.closed) {
        return kNever;
    }
    return std::min(
        {ngtcp2_conn_get_expiry2(state.conn()), state.quota.next(), state.liveness.deadline()});
}

void Connection::on_deadline(Timestamp now) {
    if (state_->alive()) {
        state_->ask_if_due(now);
    }
    if (state_->conn() == nullptr || state_->closed ||
        ngtcp2_conn_get_expiry2(state_->conn()) > now) {
        return;
    }
    state_->writer.watch_for_black_hole(state_->conn(), now);
    if (const auto outcome = ngtcp2_conn_handle_expiry(state_->conn(), now); outcome != 0) {
        state_->fail_with(outcome, now);
    }
}

FlushOutcome Connection::flush(DatagramPath &path, Timestamp now) {
    auto &state = *state_;
    state.farewell.send(path);
    if (state.conn() == nullptr || state.closed) {
        return FlushOutcome::Idle;
    }
    const bool wanted = state.streams.begin_flush();
    if (state.windows.background()) {
        state.quota.set_room(state.windows.room(state.conn()));
    }
    state.quota.begin(wanted, now);
    const auto sent = state.writer.send(state.conn(), path, now);
    if (!sent) {
        state.fail_with(sent.error(), now);
        state.farewell.send(path);
        return FlushOutcome::Idle;
    }
    if (*sent == FlushOutcome::Idle) {
        state.life.on_idle(state.conn());
    }
    state.quota.end(now);
    if (state.windows.background()) {
        state.windows.on_sent(state.conn(), state.streams.unsent() == 0 || state.quota.paused() ||
                                                state.quota.limited() ||
                                                ngtcp2_conn_get_max_data_left2(state.conn()) == 0);
    }
    if (state.established) {
        state.limits.enter(bottleneck_of(state, *sent), now);
    }
    state.streams.end_flush(now);
    return *sent;
}

void Connection::on_wake(Timestamp slept, Timestamp now) {
    auto &state = *state_;
    if (!state.alive()) {
        return;
    }
    if (slept >= kIdleTimeout) {
        state.close_with(Error{ErrorCode::PeerGone, 0, "this computer slept for too long"}, now);
    } else {
        state.liveness.mark_stale(now + kStaleDatagrams);
    }
}

void Connection::on_network_change(bool path_is_gone, Timestamp now) {
    if (!state_->alive()) {
        return;
    }
    state_->liveness.mark_stale(now);
    if (path_is_gone) {
        state_->liveness.give_up();
    }
}

void Connection::probe_peer(Timestamp now) {
    if (state_->alive()) {
        state_->liveness.suspect(now);
    }
}

void Connection::on_path_left(Timestamp now) {
    if (state_->alive()) {
        state_->liveness.ask_anew(now);
    }
}

void Connection::on_lossy_stream_left(Timestamp now) {
    auto &state = *state_;
    if (state.alive()) {
        state.lossy = true;
        state.choose_congestion_control(now);
        state.writer.on_stream_left(state.conn(), now);
    }
}

bool Connection::silent() const { return !state_->closed && state_->liveness.silent(); }

PathId Connection::path_id() const {
    return state_->conn() != nullptr ? path_id_of(*ngtcp2_conn_get_path2(state_->conn()))
                                     : PathId{};
}

bool Connection::move_to(std::uint16_t local, Timestamp now) {
    auto &state = *state_;
    return state.alive() && state.migration.may_move(now) &&
           state.migration.move_to(state.conn(), PathId{.local = local}, silent(), now);
}

bool Connection::established() const { return state_->established; }

Result<SecretKey> Connection::exported(std::string_view label, ByteView context) const {
    SecretKey key;
    const auto out = key.mutable_view();
    if (SSL_export_keying_material(state_->library.ssl(), out.data(), out.size(), label.data(),
                                   label.size(), context.data(), context.size(), 1) != 1) {
        return fail(ErrorCode::Internal, 0, "TLS gave no exporter value");
    }
    return key;
}

const std::optional<Closed> &Connection::closed() const { return state_->closed; }

std::optional<StreamId> Connection::open_bidirectional() {
    StreamId stream = -1;
    if (ngtcp2_conn_open_bidi_stream(state_->conn(), &stream, nullptr) != 0) {
        return std::nullopt;
    }
    return stream;
}

std::optional<StreamId> Connection::open_unidirectional(StreamUse use) {
    StreamId stream = -1;
    if (ngtcp2_conn_open_uni_stream(state_->conn(), &stream, nullptr) != 0) {
        return std::nullopt;
    }
    state_->streams.add(stream, use == StreamUse::Data);
    return stream;
}

void Connection::write(StreamId stream, Chunk chunk, bool fin) {
    state_->streams.push(stream, std::move(chunk), fin);
}

void Connection::write(StreamId stream, ByteView bytes, bool fin) {
    auto copy = std::make_shared<Bytes>(bytes.begin(), bytes.end());
    write(stream, Chunk{std::move(copy), bytes.size()}, fin);
}

void Connection::reset(StreamId stream) {
    state_->streams.drop(stream);
    if (state_->conn() != nullptr && !state_->closed) {
        ngtcp2_conn_shutdown_stream_write(state_->conn(), 0, stream, kApplicationError);
    }
}

void Connection::set_supply(Bottleneck why) { state_->supply = why; }

void Connection::set_paused(bool paused) { state_->quota.set_paused(paused); }

void Connection::set_background(bool enabled) {
    auto &state = *state_;
    if (state.windows.set_background(enabled,
                                     state.alive() ? min_round_trip(state.conn()) : kNever)) {
        state.quota.set_room(kUnlimited);
    }
}

bool Connection::data_limited() const { return background() || state_->quota.has_limit(); }

bool Connection::background() const { return state_->windows.background(); }

void Connection::use_saved_path(const SavedPath &saved) {
    if (state_->alive()) {
        set_saved_path(state_->conn(), saved.window, saved.round_trip);
    }
}

bool Connection::is_near() const {
    return state_->conn() != nullptr && state_->settings.cubic_up_to > 0 &&
           !state_->settings.cubic_in_streams_only && !state_->lossy &&
           min_round_trip(state_->conn()) <= state_->settings.cubic_up_to;
}

std::optional<SavedPath> Connection::measured_path() const {
    SavedPath measured;
    const bool known = state_->established && !background() &&
                       saved_path(state_->conn(), measured.window, measured.round_trip);
    return known ? std::optional(measured) : std::nullopt;
}

std::optional<std::uint64_t> Connection::path_rate() const {
    if (const auto measured = measured_path()) {
        return measured->rate();
    }
    return state_->conn() == nullptr ? std::nullopt : pacing_rate(state_->conn());
}

void Connection::set_limiters(RateLimiter *shared, RateLimiter *own) {
    state_->quota.set_limiters(shared, own);
}

std::uint64_t Connection::unacknowledged_bytes() const { return state_->streams.buffered(); }
std::uint64_t Connection::unsent_bytes() const { return state_->streams.unsent(); }

std::uint64_t Connection::unacknowledged_bytes(StreamId stream) const {
    return state_->streams.buffered(stream);
}

std::uint64_t Connection::unsent_bytes(StreamId stream) const {
    return state_->streams.unsent(stream);
}

std::uint64_t Connection::connection_window() const { return state_->windows.window(); }

std::uint64_t Connection::bytes_to_fill_path() const { return state_->windows.to_fill_path(); }

std::uint64_t Connection::unconsumed_bytes() const { return state_->unconsumed; }

void Connection::consume_connection(std::uint64_t bytes) {
    state_->unconsumed -= std::min(state_->unconsumed, bytes);
    if (state_->conn() != nullptr && !state_->closed) {
        ngtcp2_conn_extend_max_offset(state_->conn(), bytes);
    }
}

void Connection::consume_stream(StreamId stream, std::uint64_t bytes) {
    if (state_->conn() != nullptr && !state_->closed) {
        ngtcp2_conn_extend_max_stream_offset(state_->conn(), stream, bytes);
    }
}

void Connection::allow_stream() {
    if (state_->conn() != nullptr && !state_->closed) {
        ngtcp2_conn_extend_max_streams_uni(state_->conn(), 1);
    }
}

void Connection::close(const std::optional<Error> &error, DatagramPath &path, Timestamp now) {
    auto &state = *state_;
    if (state.closed) {
        return;
    }
    state.close_with(error, now);
    state.farewell.send(path);
}

Timestamp Connection::closing_until() const { return state_->farewell.closing_until(); }

Connection::Statistics Connection::statistics(Timestamp now) const {
    return statistics_of(*state_, now);
}

Connection::Stall Connection::stall() const { return stall_of(*state_); }

} // namespace thru
