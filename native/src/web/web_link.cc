#include "web/web_link.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "link/control_stream.h"

namespace thru {

namespace {

/// Limit for the other side's answer, which wrong guesses can delay by up to 30 s.
constexpr Timestamp kPairingTime = 45 * kSecond;
/// Limit for the stream and the QUIC handshake together: the other side looks for a better path
/// first.
constexpr Timestamp kConnectingTime = 30 * kSecond;
/// Bytes for the stream that may wait to be taken; data waits behind them in its streams.
constexpr std::size_t kMaxOutput = 256 * 1024;
/// Sizes worth trying in a stream, which carries any; large ones save CPU.
constexpr std::array<std::uint16_t, 2> kWebDatagramBytes{1452, 8952};

} // namespace

WebLink::WebLink(LinkRole role, const std::string &nameplate, const PairingSecret &secret,
                 std::string name, Identity identity, WebLinkListener &listener, Timestamp now)
    : listener_(listener), role_(role), secret_(secret), identity_(std::move(identity)),
      pairing_([&] {
          PeerDescription own{.fingerprint = identity_.fingerprint(), .name = std::move(name)};
          return role == LinkRole::Receiver ? Pairing::receiver(nameplate, secret, std::move(own))
                                            : Pairing::sender(nameplate, std::move(own));
      }()),
      give_up_(now + kPairingTime) {}

WebLink::~WebLink() = default;

Result<std::unique_ptr<WebLink>> WebLink::create(LinkRole role, const std::string &nameplate,
                                                 const PairingSecret &secret, std::string name,
                                                 WebLinkListener &listener, Timestamp now) {
    auto identity = Identity::create();
    if (!identity) {
        return std::unexpected(identity.error());
    }
    std::unique_ptr<WebLink> link(
        new WebLink(role, nameplate, secret, std::move(name), *std::move(identity), listener, now));
    // A page has no address that others can reach.
    link->pairing_.send_candidates_done();
    link->send_payloads();
    return link;
}

void WebLink::on_signal(std::string_view payload, Timestamp now) {
    // The server can't affect a bound connection: repeated or forged payloads end nothing.
    if (stage_ >= Stage::Connected) {
        return;
    }
    const auto events = pairing_.on_payload(payload);
    send_payloads();
    if (!events) {
        fail_link(events.error());
        return;
    }
    for (const auto &event : *events) {
        take_event(event, now);
    }
}

void WebLink::take_event(const PairingEvent &event, Timestamp now) {
    if (const auto *requested = std::get_if<PairingRequested>(&event)) {
        if (requested->kind != PairingSecret::Kind::Words) {
            fail_link(Error{ErrorCode::PeerProtocol, 0, "a pairing without the code's words"});
        } else if (auto admitted = pairing_.admit(secret_); !admitted) {
            fail_link(admitted.error());
        }
        send_payloads();
    } else if (const auto *keyed = std::get_if<PairingKeyed>(&event)) {
        peer_ = keyed->fingerprint;
    } else if (const auto *candidate = std::get_if<RemoteCandidate>(&event)) {
        listener_.on_candidate(candidate->line);
    } else if (std::holds_alternative<PairingProven>(event)) {
        stage_ = Stage::Routing;
        give_up_ = now + kConnectingTime;
        listener_.on_paired();
        begin_connection(now);
    }
}

void WebLink::send_payloads() {
    for (const auto &payload : pairing_.take_payloads()) {
        listener_.on_payload(payload);
    }
}

void WebLink::on_stream_ready(Timestamp now) {
    stream_ready_ = true;
    begin_connection(now);
}

void WebLink::begin_connection(Timestamp now) {
    if (stage_ != Stage::Routing || !stream_ready_) {
        return;
    }
    const bool receives = role_ == LinkRole::Receiver;
    auto context = receives ? identity_.client_context(peer_) : identity_.server_context(peer_);
    if (!context) {
        fail_link(context.error());
        return;
    }
    // On a fast path BBR would take the late timers of a browser for a slow one. A page can't wait
    // for its disk in place of its memory: the window never grows.
    const ConnectionSettings settings{.cubic_up_to = kLocalRoundTrip,
                                      .datagram_bytes = kWebDatagramBytes,
                                      .max_connection_window = kConnectionWindow};
    auto connection = receives ? Connection::client(std::move(*context), settings, *this, now)
                               : Connection::server(std::move(*context), settings, *this);
    if (!connection) {
        fail_link(connection.error());
        return;
    }
    connection_ = std::move(*connection);
    stage_ = Stage::Handshake;
}

void WebLink::on_bytes(ByteView bytes, Timestamp now, bool second) {
    const bool understood =
        frames_.at(second ? 1 : 0).receive(bytes, [this, now](ByteView datagram) {
            if (connection_ && !datagram.empty()) {
                connection_->on_datagrams(datagram, datagram.size(), now);
            }
            return stage_ != Stage::Closed;
        });
    static_cast<void>(understood);
}

void WebLink::on_stream_over() {
    fail_link(Error{stage_ == Stage::Connected ? ErrorCode::PeerGone : ErrorCode::NoRoute, 0,
                    "the stream of datagrams ended"});
}

Bytes WebLink::take_output() { return std::exchange(out_, {}); }

DatagramPath::Sent WebLink::send(ByteView bytes, std::size_t segment_bytes, const PathId &) {
    if (out_.size() >= kMaxOutput) {
        return {};
    }
    append_length_frames(out_, bytes, segment_bytes);
    return {.bytes = bytes.size()};
}

void WebLink::on_established() {
    auto key = connection_->exported(kBindLabel, keys().transcript);
    if (!key) {
        fail_link(key.error());
        return;
    }
    binding_.emplace(role_, keys(), *key, std::nullopt);
    stage_ = Stage::Binding;
    // The receiver authenticates itself first.
    if (role_ == LinkRole::Sender) {
        return;
    }
    if (connection_->open_bidirectional() == kControlStream) {
        connection_->write(kControlStream, binding_->own(), false);
    } else {
        fail_link(Error{ErrorCode::PeerProtocol, 0, "the sender allows no control stream"});
    }
}

void WebLink::on_stream_data(StreamId stream, ByteView bytes, bool fin) {
    if (stage_ == Stage::Connected) {
        listener_.on_stream_data(stream, bytes, fin);
        return;
    }
    if (stage_ != Stage::Binding) {
        return;
    }
    if (stream == kControlStream) {
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

void WebLink::on_stream_reset(StreamId stream) {
    if (stage_ == Stage::Connected) {
        listener_.on_stream_reset(stream);
    } else if (stage_ == Stage::Binding && stream != kControlStream) {
        early_data_.reset(stream);
    } else if (stage_ != Stage::Closed) {
        fail_link(Error{ErrorCode::PeerProtocol, stream, "unexpected RESET_STREAM"});
    }
}

void WebLink::on_stream_closed(StreamId stream) {
    if (stage_ == Stage::Connected) {
        listener_.on_stream_closed(stream);
    }
}

void WebLink::announce() {
    stage_ = Stage::Connected;
    give_up_ = kNever;
    if (role_ == LinkRole::Sender) {
        connection_->write(kControlStream, binding_->own(), false);
    }
    listener_.on_connected();
    early_data_.hand_on([this](StreamId stream, ByteView bytes,
                               bool fin) { listener_.on_stream_data(stream, bytes, fin); },
                        [this](StreamId stream) { listener_.on_stream_reset(stream); });
}

void WebLink::service(Timestamp now) {
    if (give_up_ <= now) {
        fail_link(stage_ == Stage::Pairing ? Error{ErrorCode::PeerGone, 0, "no answer in time"}
                                           : Error{ErrorCode::NoRoute, 0, "no connection in time"});
    }
    if (!connection_) {
        return;
    }
    if (stage_ == Stage::Closed) {
        if (!connection_->closed()) {
            connection_->close(closed_->error, *this, now);
        }
        connection_->flush(*this, now);
        return;
    }
    if (stage_ == Stage::Binding && binding_->done()) {
        announce();
    }
    connection_->on_deadline(now);
    flushed_ = connection_->flush(*this, now);
    if (const auto &closed = connection_->closed()) {
        closed_ = *closed;
        stage_ = Stage::Closed;
    }
}

Timestamp WebLink::deadline() const {
    if (stage_ == Stage::Closed) {
        return kNever;
    }
    // A busy stream is emptied by take_output, after which the owner calls service.
    if (flushed_ != FlushOutcome::Idle) {
        return 0;
    }
    return std::min(give_up_, connection_ ? connection_->deadline() : kNever);
}

void WebLink::close(const std::optional<Error> &error, Timestamp now) {
    if (stage_ != Stage::Closed) {
        closed_ = Closed{.error = error, .by_peer = false};
        stage_ = Stage::Closed;
    }
    service(now);
}

void WebLink::fail_link(Error error) {
    if (stage_ != Stage::Closed) {
        closed_ = Closed{.error = std::move(error), .by_peer = false};
        stage_ = Stage::Closed;
    }
}

} // namespace thru
