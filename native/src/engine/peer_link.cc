#include "engine/peer_link.h"

#include <algorithm>
#include <utility>

#include "engine/control_stream.h"

namespace thru {

namespace {

/// Receiver: for the sender's answer. A sender that was guessed at lets the next ones wait for 30
/// s.
constexpr Timestamp kAnswerTimeout = 45 * kSecond;
/// Sender: from the introduction until it lets the receiver try.
constexpr Timestamp kWaitingTimeout = 60 * kSecond;
/// From then on until the receiver's proof.
constexpr Timestamp kProofTimeout = 15 * kSecond;
/// For ICE and the QUIC handshake together: all pairs direct, then relayed.
constexpr Timestamp kConnectTimeout = 30 * kSecond;
/// Relays come from the server after the proof; later ones are not waited for.
constexpr Timestamp kRelaysTimeout = 3 * kSecond;
/// How soon a busy path is tried again when nothing tells that it is free.
constexpr Timestamp kBusyRetry = kMillisecond;
/// A client's first flight is one or two datagrams; a few repeats fit as well.
constexpr std::size_t kEarlyDatagrams = 8;
constexpr std::size_t kEarlyDatagramBytes = 1500;

} // namespace

PeerLink::PeerLink(EngineContext &context, const Options &options, PeerLinkListener &listener,
                   Timestamp now)
    : context_(context), listener_(listener), role_(options.role), identity_(options.identity),
      give_up_(now + (role_ == LinkRole::Sender ? kWaitingTimeout : kAnswerTimeout)) {}

PeerLink::~PeerLink() = default;

Result<std::unique_ptr<PeerLink>> PeerLink::create(EngineContext &context, const Options &options,
                                                   std::optional<Credentials> credentials,
                                                   PeerLinkListener &listener, Timestamp now) {
    std::unique_ptr<PeerLink> link(new PeerLink(context, options, listener, now));
    const bool controlling = options.role == LinkRole::Sender;
    auto path = IcePath::create(context.loop, options.ice, controlling, *link);
    if (!path) {
        return std::unexpected(path.error());
    }
    link->path_ = std::move(*path);
    PeerDescription own{.fingerprint = options.identity->fingerprint(),
                        .ice_ufrag = link->path_->ufrag(),
                        .ice_pwd = link->path_->pwd(),
                        .name = options.name};
    if (!credentials) {
        link->pairing_ = Pairing::sender(options.nameplate, std::move(own));
        return link;
    }
    link->contact_ = std::move(credentials->contact);
    link->pairing_ =
        Pairing::receiver(options.nameplate, std::move(credentials->secret), std::move(own));
    // The sender waits until the secret was proven: no relay is asked for a guess.
    if (auto gathering = link->path_->gather(); !gathering) {
        return std::unexpected(gathering.error());
    }
    link->send_payloads();
    return link;
}

void PeerLink::on_signal(std::string_view payload) {
    // Once bound, the server has no say: what it repeats or makes up ends nothing.
    if (closed_ || announced_) {
        return;
    }
    auto events = pairing_->on_payload(payload);
    if (!events) {
        send_payloads();
        fail_link(events.error());
        return;
    }
    for (const auto &event : *events) {
        on_event(event);
    }
    send_payloads();
}

void PeerLink::on_event(const PairingEvent &event) {
    if (const auto *requested = std::get_if<PairingRequested>(&event)) {
        request_ = *requested;
    } else if (const auto *found = std::get_if<PairingProven>(&event)) {
        proven(found->peer);
    } else if (const auto *candidate = std::get_if<RemoteCandidate>(&event)) {
        path_->add_remote_candidate(candidate->line);
    } else {
        path_->remote_candidates_done();
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

void PeerLink::proven(const PeerDescription &peer) {
    const auto now = context_.loop.now();
    peer_ = peer;
    paired_ = true;
    give_up_ = now + kConnectTimeout;
    relays_until_ = now + kRelaysTimeout;
    auto started = path_->set_remote_credentials(peer.ice_ufrag, peer.ice_pwd);
    if (started && role_ == LinkRole::Sender) {
        started = path_->gather();
    }
    if (!started) {
        fail_link(started.error());
        return;
    }
    listener_.on_paired();
}

void PeerLink::add_relays(const std::vector<TurnServer> &servers) {
    if (closed_ || !paired_ || path_->ready() || relays_until_ == kNever) {
        return;
    }
    // The end of their gathering follows.
    gathered_ = gathered_ && servers.empty();
    relays_until_ = context_.loop.now();
    for (const auto &server : servers) {
        path_->add_relay(server);
    }
}

void PeerLink::send_payloads() {
    for (auto &payload : pairing_->take_payloads()) {
        listener_.on_payload(std::move(payload));
    }
}

void PeerLink::on_local_candidate(std::string_view line) {
    if (closed_) {
        return;
    }
    pairing_->send_candidate(line);
    send_payloads();
}

void PeerLink::on_local_candidates_done() { gathered_ = true; }

void PeerLink::on_ice_ready() {
    if (closed_ || connection_) {
        return;
    }
    const auto local = path_->route().kind == Route::Kind::Local;
    const ConnectionSettings settings{.congestion_control =
                                          local ? CongestionControl::Cubic : CongestionControl::Bbr,
                                      .max_datagram_bytes = path_->max_datagram_bytes()};
    const bool server = role_ == LinkRole::Sender;
    auto context = server ? identity_->server_context(peer_.fingerprint)
                          : identity_->client_context(peer_.fingerprint);
    if (!context) {
        fail_link(context.error());
        return;
    }
    if (server) {
        connection_ = Connection::server(std::move(*context), settings, *this);
        for (const auto &datagram : std::exchange(early_, {})) {
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
}

void PeerLink::on_ice_failed() {
    fail_link(Error{ErrorCode::NoRoute, 0, "no ICE candidate pair works"});
}

void PeerLink::on_datagrams(ByteView bytes, std::size_t segment_bytes) {
    if (connection_) {
        connection_->on_datagrams(bytes, segment_bytes, context_.loop.now());
    } else if (!closed_ && early_.size() < kEarlyDatagrams && bytes.size() <= kEarlyDatagramBytes) {
        early_.emplace_back(bytes.begin(), bytes.end());
    }
}

void PeerLink::on_established() {
    if (closed_) {
        return;
    }
    auto key = exported(kBindLabel);
    if (!key) {
        fail_link(key.error());
        return;
    }
    binding_.emplace(role_, keys(), *std::move(key), contact_);
    // The receiver shows that it is the one before the sender does.
    if (role_ == LinkRole::Receiver) {
        if (connection_->open_bidirectional() == kControlStream) {
            connection_->write(kControlStream, binding_->own(), false);
        } else {
            fail_link(Error{ErrorCode::PeerProtocol, 0, "the sender allows no control stream"});
        }
    }
}

void PeerLink::on_stream_data(StreamId stream, ByteView bytes, bool fin) {
    if (closed_) {
        return;
    }
    if (announced_) {
        listener_.on_stream_data(stream, bytes, fin);
        return;
    }
    if (stream == kControlStream && binding_) {
        const auto taken = binding_->receive(bytes);
        if (!taken) {
            fail_link(taken.error());
            return;
        }
        connection_->consume_stream(stream, *taken);
        connection_->consume_connection(*taken);
        bytes = bytes.subspan(*taken);
    }
    if (!unbound_.add(stream, bytes, fin)) {
        fail_link(Error{ErrorCode::PeerProtocol, 0, "too much stream data before BIND"});
    }
}

void PeerLink::on_stream_reset(StreamId stream) {
    if (closed_) {
        return;
    }
    if (announced_) {
        listener_.on_stream_reset(stream);
    } else {
        fail_link(Error{ErrorCode::PeerProtocol, stream, "unexpected RESET_STREAM"});
    }
}

void PeerLink::on_stream_closed(StreamId stream) {
    if (announced_ && !closed_) {
        listener_.on_stream_closed(stream);
    }
}

void PeerLink::announce() {
    announced_ = true;
    give_up_ = kNever;
    if (role_ == LinkRole::Sender) {
        connection_->write(kControlStream, binding_->own(), false);
    }
    path_->take_socket();
    listener_.on_connected();
    unbound_.hand_on([this](StreamId stream, ByteView bytes, bool fin) {
        listener_.on_stream_data(stream, bytes, fin);
    });
}

void PeerLink::service(Timestamp now) {
    if (!closed_ && now >= give_up_) {
        close(paired_ ? Error{ErrorCode::NoRoute, 0, "no connection in time"}
                      : Error{ErrorCode::PeerGone, 0, "no answer in time"},
              now);
    }
    if (closed_) {
        send_close(now);
        if (connection_) {
            connection_->flush(*path_, now);
        }
        return;
    }
    if (gathered_ && relays_until_ <= now) {
        gathered_ = false;
        relays_until_ = kNever;
        pairing_->send_candidates_done();
        send_payloads();
    }
    if (!connection_) {
        return;
    }
    if (binding_ && binding_->done() && !announced_) {
        announce();
    }
    connection_->on_deadline(now);
    const auto outcome = connection_->flush(*path_, now);
    retry_at_ = outcome == FlushOutcome::PathBusy ? now + kBusyRetry : kNever;
    more_ = outcome == FlushOutcome::More;
    if (connection_->closed()) {
        closed_ = connection_->closed();
    }
}

Timestamp PeerLink::deadline() const {
    if (closed_) {
        return kNever;
    }
    if (more_) {
        return 0;
    }
    const auto relays = gathered_ ? relays_until_ : kNever;
    const auto pairing = std::min(give_up_, relays);
    // A busy path hears of the connection's timers at its next try, and those that have passed stay
    // until then.
    if (retry_at_ != kNever) {
        return std::min(pairing, retry_at_);
    }
    return std::min(pairing, connection_ ? connection_->deadline() : kNever);
}

void PeerLink::on_wake(Timestamp slept, Timestamp now) {
    if (connection_ && !closed_) {
        connection_->on_wake(slept, now);
    }
}

Timestamp PeerLink::lingers_until() const { return connection_ ? connection_->closing_until() : 0; }

void PeerLink::close(const std::optional<Error> &error, Timestamp now) {
    if (!closed_) {
        closed_ = Closed{.error = error, .by_peer = false};
        close_due_ = true;
    }
    send_close(now);
}

void PeerLink::send_close(Timestamp now) {
    if (std::exchange(close_due_, false) && connection_) {
        connection_->close(closed_->error, *path_, now);
    }
}

void PeerLink::fail_link(Error error) {
    if (!closed_) {
        closed_ = Closed{.error = std::move(error), .by_peer = false};
        close_due_ = true;
    }
}

} // namespace thru
