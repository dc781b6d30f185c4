#include "link/peer_link.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "link/control_stream.h"

namespace thru {

namespace {

/// Receiver: limit for the sender's answer, which wrong guesses can delay by up to 30 s.
constexpr Timestamp kAnswerTimeout = 45 * kSecond;
/// Sender: limit from the introduction until the receiver is admitted.
constexpr Timestamp kWaitingTimeout = 60 * kSecond;
/// Limit from then until the receiver's proof.
constexpr Timestamp kProofTimeout = 15 * kSecond;
/// Limit for ICE and the QUIC handshake together: all direct pairs, then relayed ones.
constexpr Timestamp kConnectTimeout = 30 * kSecond;
/// Interval for retrying a busy path without a notification.
constexpr Timestamp kBusyRetry = kMillisecond;
/// A client's first flight is one or two datagrams; a few retransmissions fit as well.
constexpr std::size_t kEarlyDatagrams = 8;
constexpr std::size_t kEarlyDatagramBytes = 1500;

} // namespace

PeerLink::PeerLink(LinkContext &context, Scheduler::Task &task, const Options &options,
                   PeerLinkListener &listener, Timestamp now)
    : context_(context), task_(&task), listener_(listener), role_(options.role),
      identity_(options.identity),
      paths_(context.loop,
             {.role = role_, .servers = options.ice, .socket_buffers = context.transport.sockets()},
             *this),
      candidates_(context, options.session, role_, options.ice, paths_, *this),
      give_up_(now + (role_ == LinkRole::Sender ? kWaitingTimeout : kAnswerTimeout)) {}

PeerLink::~PeerLink() = default;

/// The only function that changes the stage, always to a later one.
void PeerLink::enter(Stage next) {
    assert(next > stage_);
    stage_ = next;
    if (next == Stage::Routing) {
        give_up_ = context_.loop.now() + kConnectTimeout;
    } else if (next >= Stage::Connected) {
        give_up_ = kNever;
        candidates_.close_names();
    }
}

void PeerLink::end(Stage next, Closed how) {
    resumption_.end(context_.loop.now());
    closed_ = std::move(how);
    enter(next);
}

Result<std::unique_ptr<PeerLink>> PeerLink::create(LinkContext &context, Scheduler::Task &task,
                                                   const Options &options,
                                                   std::optional<Credentials> credentials,
                                                   PeerLinkListener &listener, Timestamp now) {
    std::unique_ptr<PeerLink> link(new PeerLink(context, task, options, listener, now));
    const bool controlling = options.role == LinkRole::Sender;
    auto servers = options.ice;
    if (!controlling && servers.relay_use == RelayUse::Automatic) {
        servers.turn.clear();
    }
    auto path =
        IcePath::create(context.loop, servers, controlling, *link, context.transport.sockets());
    if (!path) {
        return std::unexpected(path.error());
    }
    link->paths_.begin_with(std::move(*path));
    PeerDescription own{.fingerprint = options.identity->fingerprint(),
                        .name = options.name,
                        .relay_use = options.ice.relay_use};
    if (!credentials) {
        link->pairing_ = Pairing::sender(options.nameplate, std::move(own));
        return link;
    }
    link->contact_ = std::move(credentials->contact);
    link->pairing_ = Pairing::receiver(options.nameplate, credentials->secret, std::move(own),
                                       options.earlier_guess);
    if (auto gathering = link->path().gather(); !gathering) {
        return std::unexpected(gathering.error());
    }
    link->send_payloads();
    return link;
}

void PeerLink::on_signal(std::string_view payload) {
    // The server can't affect a bound connection: repeated or forged payloads end nothing.
    if (stage_ >= Stage::Connected) {
        return;
    }
    auto events = pairing_->on_payload(payload);
    if (!events) {
        send_payloads();
        fail_link(events.error());
        return;
    }
    for (const auto &event : *events) {
        std::visit([this](const auto &each) { on(each); }, event);
    }
    send_payloads();
}

void PeerLink::on(const PairingRequested &requested) { request_ = requested; }

/// The receiver's agent answers checks from here on, a round trip before it gets the sender's
/// candidates, so a pair may be found meanwhile.
void PeerLink::on(const PairingKeyed &keyed) {
    keyed_ = keyed;
    if (auto set = path().set_credentials(keyed.own, keyed.peer); !set) {
        fail_link(set.error());
    }
}

void PeerLink::on(const PairingProven &proven) {
    if (over()) {
        return;
    }
    peer_ = proven.peer;
    enter(Stage::Routing);
    if (auto begun = candidates_.begin(peer_->relay_use, context_.loop.now()); !begun) {
        fail_link(begun.error());
        return;
    }
    // A sender's proof must be sent before the server learns that relays may be granted.
    send_payloads();
    listener_.on_paired();
    if (over()) {
        return;
    }
    if (auto used = candidates_.use_early_relays(); !used) {
        fail_link(used.error());
        return;
    }
    if (stage_ == Stage::Routing && connection_) {
        enter(Stage::Handshake);
        if (connection_->established()) {
            bind();
        }
    }
}

void PeerLink::admit(Credentials credentials, Timestamp now) {
    contact_ = std::move(credentials.contact);
    give_up_ = now + kProofTimeout;
    const auto admitted = pairing_->admit(credentials.secret);
    send_payloads();
    if (!admitted) {
        fail_link(admitted.error());
    }
}

void PeerLink::refuse(ErrorCode code) {
    pairing_->refuse(code);
    send_payloads();
    fail_link(Error{code, 0, "refused"});
}

void PeerLink::on_candidate(std::string_view line) {
    if (!over()) {
        pairing_->send_candidate(line);
        send_payloads();
    }
}

void PeerLink::on_candidates_done() {
    pairing_->send_candidates_done();
    send_payloads();
}

void PeerLink::on_ice_failed() {
    task_->wake();
    // The failure of a relay that the connection no longer uses doesn't matter.
    if (stage_ < Stage::Connected || path().carriers().failure()) {
        fail_link(candidates_.without_route("no ICE candidate pair works"));
    }
}

Route PeerLink::route() const {
    auto route = paths_.current().carriers().route();
    if (route.kind == Route::Kind::Relay) {
        route.why = candidates_.why_relayed(route.tcp);
    }
    return route;
}

void PeerLink::send_payloads() {
    for (auto &payload : pairing_->take_payloads()) {
        listener_.on_payload(std::move(payload));
    }
}

/// At the receiver this may precede the sender's proof, because checks use credentials derived from
/// the secret. Until the proof, only the handshake proceeds.
void PeerLink::on_ice_ready() {
    task_->wake();
    if (over()) {
        return;
    }
    const auto route = path().carriers().route();
    const bool local = route.kind == Route::Kind::Local;
    qlog_ = context_.qlogs.next_file(context_.disk);
    const ConnectionSettings settings{.congestion_control =
                                          local ? CongestionControl::Cubic : CongestionControl::Bbr,
                                      .cubic_up_to = route.may_be_near() ? kLocalRoundTrip : 0,
                                      .cubic_in_streams_only = !local,
                                      .datagram_bytes = path().carriers().datagram_bytes(),
                                      .connection_window = context_.transport.connection(),
                                      .max_connection_window = context_.transport.max_connection(),
                                      .qlog = qlog_};
    const bool server = role_ == LinkRole::Sender;
    auto context = server ? identity_->server_context(keyed_->fingerprint)
                          : identity_->client_context(keyed_->fingerprint);
    if (!context) {
        fail_link(context.error());
        return;
    }
    if (server) {
        connection_ = Connection::server(std::move(*context), settings, *this);
        enter(Stage::Handshake);
        for (const auto &datagram : std::exchange(early_datagrams_, {})) {
            connection_->on_datagrams(datagram, datagram.size(), context_.loop.now());
        }
        return;
    }
    auto connection = Connection::client(std::move(*context), settings, *this, context_.loop.now());
    if (!connection) {
        fail_link(connection.error());
        return;
    }
    connection_ = std::move(*connection);
    if (stage_ == Stage::Routing) {
        enter(Stage::Handshake);
    }
}

void PeerLink::on_datagrams(ByteView bytes, std::size_t segment_bytes, const Address &from) {
    task_->wake();
    if (connection_) {
        connection_->on_datagrams(bytes, segment_bytes, context_.loop.now(),
                                  PathId{.remote = from});
    } else if (!over() && early_datagrams_.size() < kEarlyDatagrams &&
               bytes.size() <= kEarlyDatagramBytes) {
        early_datagrams_.emplace_back(bytes.begin(), bytes.end());
    }
}

void PeerLink::on_path_datagrams(ByteView bytes, std::size_t segment_bytes, const PathId &from) {
    task_->wake();
    connection_->on_datagrams(bytes, segment_bytes, context_.loop.now(), from);
}

void PeerLink::on_established() {
    if (stage_ == Stage::Handshake) {
        bind();
    }
}

void PeerLink::bind() {
    auto key = exported(kBindLabel);
    if (!key) {
        fail_link(key.error());
        return;
    }
    binding_.emplace(role_, keys(), *key, contact_);
    enter(Stage::Binding);
    // The receiver authenticates itself before the sender does.
    if (role_ == LinkRole::Receiver) {
        if (connection_->open_bidirectional() == kControlStream) {
            connection_->write(kControlStream, binding_->own(), false);
            listener_.on_opened();
        } else {
            fail_link(Error{ErrorCode::PeerProtocol, 0, "the sender allows no control stream"});
        }
    }
}

void PeerLink::on_stream_data(StreamId stream, ByteView bytes, bool fin) {
    if (over()) {
        return;
    }
    if (stage_ == Stage::Connected) {
        listener_.on_stream_data(stream, bytes, fin);
        return;
    }
    if (stream == kControlStream && stage_ == Stage::Binding) {
        const auto taken = binding_->receive(bytes);
        if (!taken) {
            fail_link(taken.error());
            return;
        }
        connection_->consume_stream(stream, *taken);
        connection_->consume_connection(*taken);
        bytes = bytes.subspan(*taken);
    }
    if (!early_data_.add(stream, bytes, fin)) {
        fail_link(Error{ErrorCode::PeerProtocol, 0, "too much stream data before BIND"});
    }
}

void PeerLink::on_stream_reset(StreamId stream) {
    if (over()) {
        return;
    }
    if (stage_ == Stage::Connected) {
        listener_.on_stream_reset(stream);
    } else if (stage_ == Stage::Binding && stream != kControlStream) {
        early_data_.reset(stream);
    } else {
        fail_link(Error{ErrorCode::PeerProtocol, stream, "unexpected RESET_STREAM"});
    }
}

void PeerLink::on_stream_closed(StreamId stream) {
    if (stage_ == Stage::Connected) {
        listener_.on_stream_closed(stream);
    }
}

void PeerLink::resume_path() {
    if (role_ == LinkRole::Sender && stage_ == Stage::Connected) {
        resumption_.begin(*connection_, route().networks, context_.loop.now());
    }
}

void PeerLink::announce() {
    enter(Stage::Connected);
    if (role_ == LinkRole::Sender) {
        connection_->write(kControlStream, binding_->own(), false);
    }
    path().carriers().settle(true);
    companion_.begin(context_.loop.now());
    if (auto key = exported(kPathLabel)) {
        paths_.look(std::move(*key), context_.loop.now());
    }
    accompanied_ = path().carriers().accompanied();
    browser_moved_ = path().carriers().moved();
    task_->wake(); // The listener's transfer has had its turn.
    listener_.on_connected();
    early_data_.hand_on([this](StreamId stream, ByteView bytes,
                               bool fin) { listener_.on_stream_data(stream, bytes, fin); },
                        [this](StreamId stream) { listener_.on_stream_reset(stream); });
}

/// Reacts to silence of any cause. Another local port may help a receiver; a sender has many
/// receivers, each of which can reconnect on its own.
void PeerLink::watch_path(Timestamp now) {
    bool silent_now = silent();
    if (!silent_now) {
        path().carriers().confirm();
    } else if (!was_silent_ && path().carriers().leave_companion()) {
        // All probes used TCP, which retransmits them at increasing intervals.
        connection_->on_path_left(now);
        silent_now = false;
        task_->wake();
    } else if (!was_silent_ && role_ == LinkRole::Receiver) {
        path().carriers().suspect();
    }
    was_silent_ = silent_now;
}

void PeerLink::find_path(Timestamp now) {
    const bool moved = paths_.service(*connection_, now);
    if (moved) {
        resume_path();
    }
    const bool accompanied = path().carriers().accompanied();
    const bool browser_moved = path().carriers().moved();
    if (browser_moved != browser_moved_) {
        paths_.on_route_changed(now);
    }
    if (moved || accompanied != accompanied_ || browser_moved != browser_moved_) {
        accompanied_ = accompanied;
        browser_moved_ = browser_moved;
        listener_.on_route_changed();
    }
    for (auto &message : paths_.take_messages()) {
        listener_.on_find_path(std::move(message));
    }
}

void PeerLink::service(Timestamp now) {
    if (give_up_ <= now) {
        close(paired() ? candidates_.without_route("no connection in time")
                       : Error{ErrorCode::PeerGone, 0, "no answer in time"},
              now);
    }
    if (over()) {
        send_close(now);
        if (connection_) {
            connection_->flush(paths_, now);
        }
        return;
    }
    if (auto possible = candidates_.on_deadline(now); !possible) {
        close(possible.error(), now);
        return;
    }
    if (!connection_) {
        return;
    }
    if (stage_ == Stage::Binding && binding_->done() && may_bind_) {
        announce();
    }
    connection_->on_deadline(now);
    watch_path(now);
    if (stage_ == Stage::Connected) {
        companion_.judge(path().carriers(), *connection_, now);
        find_path(now);
    }
    flushed_ = connection_->flush(paths_, now);
    flushed_at_ = now;
    if (const auto &closed = connection_->closed()) {
        end(Stage::Closed, *closed);
    }
}

Timestamp PeerLink::deadline() const {
    if (over()) {
        return kNever;
    }
    if (flushed_ == FlushOutcome::More) {
        return 0;
    }
    const auto pairing = std::min({give_up_, candidates_.deadline(), paths_.deadline(silent())});
    // A busy path handles expired timers at its next attempt, so don't return them before that.
    if (flushed_ == FlushOutcome::PathBusy) {
        return std::min(pairing, flushed_at_ + kBusyRetry);
    }
    return std::min(pairing, connection_ ? connection_->deadline() : kNever);
}

void PeerLink::on_wake(Timestamp slept, Timestamp now) {
    if (connection_ && !over()) {
        connection_->on_wake(slept, now);
    }
}

void PeerLink::on_network_change(Timestamp now) {
    if (stage_ != Stage::Connected) {
        return;
    }
    paths_.on_network_change(now);
    task_->wake();
    path().carriers().leave_companion_if_gone();
    const bool gone = !path().carriers().has_local_address();
    if (gone) {
        path().carriers().leave_companion();
        path().carriers().suspect();
    }
    connection_->on_network_change(gone, now);
}

void PeerLink::probe_peer(Timestamp now) {
    if (stage_ == Stage::Connected) {
        connection_->probe_peer(now);
        task_->wake();
    }
}

void PeerLink::reassign(Scheduler::Task &task) {
    task_ = &task;
    task_->wake();
}

Timestamp PeerLink::lingers_until() const { return connection_ ? connection_->closing_until() : 0; }

void PeerLink::close(const std::optional<Error> &error, Timestamp now) {
    if (!over()) {
        end(Stage::Closing, {.error = error, .by_peer = false});
    }
    send_close(now);
}

void PeerLink::send_close(Timestamp now) {
    if (stage_ != Stage::Closing) {
        return;
    }
    enter(Stage::Closed);
    if (connection_) {
        connection_->close(closed_->error, paths_, now);
    }
}

void PeerLink::fail_link(Error error) {
    if (!over()) {
        end(Stage::Closing, {.error = std::move(error), .by_peer = false});
    }
}

} // namespace thru
