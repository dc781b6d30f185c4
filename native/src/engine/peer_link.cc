#include "engine/peer_link.h"

#include <algorithm>
#include <utility>

namespace thru {

namespace {

/// For the other side's first sealed message.
constexpr Timestamp kPairingTimeout = 15 * kSecond;
/// For ICE and the QUIC handshake together: all pairs direct, then relayed.
constexpr Timestamp kConnectTimeout = 30 * kSecond;
/// How soon a busy path is tried again when nothing tells that it is free.
constexpr Timestamp kBusyRetry = kMillisecond;
/// A client's first flight is one or two datagrams; a few repeats fit as well.
constexpr std::size_t kEarlyDatagrams = 8;
constexpr std::size_t kEarlyDatagramBytes = 1500;

} // namespace

PeerLink::PeerLink(EngineContext &context, const Options &options, PeerLinkListener &listener,
                   Timestamp now)
    : context_(context), listener_(listener), role_(options.role), identity_(options.identity),
      give_up_(now + kPairingTimeout) {}

PeerLink::~PeerLink() = default;

Result<std::unique_ptr<PeerLink>> PeerLink::create(EngineContext &context, const Options &options,
                                                   PeerLinkListener &listener, Timestamp now) {
    std::unique_ptr<PeerLink> link(new PeerLink(context, options, listener, now));
    const bool controlling = options.role == Pairing::Role::Sender;
    auto path = IcePath::create(context.loop, options.ice, controlling, *link);
    if (!path) {
        return std::unexpected(path.error());
    }
    link->path_ = std::move(*path);
    link->pairing_.emplace(options.role, options.code,
                           PeerDescription{.fingerprint = options.identity->fingerprint(),
                                           .ice_ufrag = link->path_->ufrag(),
                                           .ice_pwd = link->path_->pwd(),
                                           .name = options.name});
    if (options.role == Pairing::Role::Receiver) {
        // The sender waits until the code was proven: no relay is asked for a guess.
        if (auto gathering = link->path_->gather(); !gathering) {
            return std::unexpected(gathering.error());
        }
    }
    link->send_payloads();
    return link;
}

void PeerLink::on_signal(std::string_view payload) {
    if (closed_) {
        return;
    }
    auto events = pairing_->on_payload(payload);
    if (!events) {
        send_payloads();
        fail_link(events.error());
        return;
    }
    for (const auto &event : *events) {
        if (const auto *peer = std::get_if<PeerDescription>(&event)) {
            describe(*peer);
        } else if (const auto *candidate = std::get_if<RemoteCandidate>(&event)) {
            path_->add_remote_candidate(candidate->line);
        } else {
            path_->remote_candidates_done();
        }
    }
    send_payloads();
}

void PeerLink::describe(const PeerDescription &peer) {
    peer_ = peer;
    paired_ = true;
    give_up_ = monotonic_now() + kConnectTimeout;
    auto started = path_->set_remote_credentials(peer.ice_ufrag, peer.ice_pwd);
    if (started && role_ == Pairing::Role::Sender) {
        started = path_->gather();
    }
    if (!started) {
        fail_link(started.error());
        return;
    }
    listener_.on_paired();
}

void PeerLink::send_payloads() {
    for (auto &payload : pairing_->take_payloads()) {
        listener_.on_payload(std::move(payload));
    }
}

void PeerLink::on_local_candidate(std::string_view line) {
    pairing_->send_candidate(line);
    send_payloads();
}

void PeerLink::on_local_candidates_done() {
    pairing_->send_candidates_done();
    send_payloads();
}

void PeerLink::on_ice_ready() {
    if (closed_ || connection_) {
        return;
    }
    const auto local = path_->route().kind == Route::Kind::Local;
    const ConnectionSettings settings{.congestion_control =
                                          local ? CongestionControl::Cubic : CongestionControl::Bbr,
                                      .max_datagram_bytes = path_->max_datagram_bytes()};
    const bool server = role_ == Pairing::Role::Sender;
    auto context = server ? identity_->server_context(peer_.fingerprint)
                          : identity_->client_context(peer_.fingerprint);
    if (!context) {
        fail_link(context.error());
        return;
    }
    if (server) {
        connection_ = Connection::server(std::move(*context), settings, *this);
        for (const auto &datagram : std::exchange(early_, {})) {
            connection_->on_datagrams(datagram, datagram.size(), monotonic_now());
        }
        return;
    }
    auto connection = Connection::client(std::move(*context), settings, *this, monotonic_now());
    if (!connection) {
        fail_link(connection.error());
        return;
    }
    connection_ = std::move(*connection);
}

void PeerLink::on_ice_failed() {
    fail_link(Error{ErrorCode::NoRoute, 0, "no pair of addresses works"});
}

void PeerLink::on_datagrams(ByteView bytes, std::size_t segment_bytes) {
    if (closed_) {
        return;
    }
    if (connection_) {
        connection_->on_datagrams(bytes, segment_bytes, monotonic_now());
    } else if (early_.size() < kEarlyDatagrams && bytes.size() <= kEarlyDatagramBytes) {
        early_.emplace_back(bytes.begin(), bytes.end());
    }
}

void PeerLink::on_established() { give_up_ = kNever; }

void PeerLink::on_stream_data(StreamId stream, ByteView bytes, bool fin) {
    listener_.on_stream_data(stream, bytes, fin);
}

void PeerLink::on_stream_reset(StreamId stream) { listener_.on_stream_reset(stream); }

void PeerLink::on_stream_closed(StreamId stream) { listener_.on_stream_closed(stream); }

void PeerLink::service(Timestamp now) {
    if (closed_) {
        return;
    }
    if (now >= give_up_) {
        close(paired_ ? Error{ErrorCode::NoRoute, 0, "no connection in time"}
                      : Error{ErrorCode::PeerGone, 0, "no answer in time"},
              now);
        return;
    }
    if (!connection_) {
        return;
    }
    if (connection_->established() && !announced_) {
        announced_ = true;
        path_->take_socket();
        listener_.on_connected();
    }
    connection_->on_deadline(now);
    const auto outcome = connection_->flush(*path_, now);
    busy_ = outcome == FlushOutcome::PathBusy;
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
    const auto next = connection_ ? connection_->deadline() : kNever;
    if (busy_) {
        return std::max(next, monotonic_now() + kBusyRetry);
    }
    return std::min(give_up_, next);
}

void PeerLink::close(const std::optional<Error> &error, Timestamp now) {
    if (closed_) {
        return;
    }
    if (connection_) {
        connection_->close(error, *path_, now);
    }
    closed_ = Closed{.error = error, .by_peer = false};
}

void PeerLink::fail_link(Error error) {
    if (!closed_) {
        closed_ = Closed{.error = std::move(error), .by_peer = false};
    }
}

} // namespace thru
