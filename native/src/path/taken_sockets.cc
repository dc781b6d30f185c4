#include "path/taken_sockets.h"

#include <utility>

namespace thru {

namespace {

/// Minimum time between queries, which strangers can trigger.
constexpr Timestamp kBetweenLooks = 100 * kMillisecond;

} // namespace

TakenSockets::TakenSockets(EventLoop &loop, DatagramListener &listener, Settings settings)
    : loop_(loop), listener_(listener), settings_(std::move(settings)) {
    own_.emplace(
        loop, listener,
        OwnSocket::Settings{.descriptor = g_socket_get_fd(settings_.socket.get()),
                            .to = settings_.to,
                            .relayed = settings_.relayed,
                            .set_agent_reading = settings_.set_agent_reading,
                            .on_received = [this](const sockaddr &from) { return judge(from); }});
    if (settings_.follows) {
        others_.emplace(
            loop, listener,
            OtherSockets::Settings{
                .descriptors =
                    sockets_beside(settings_.agent, settings_.stream, settings_.socket.get()),
                .is_known_peer = [this](const sockaddr &from) { return is_known_peer(from); }});
    }
}

TakenSockets::~TakenSockets() {
    spare_.reset();
    others_.reset();
    own_.reset();
}

/// The first working pair is used immediately, so candidates and other checks may still arrive.
bool TakenSockets::is_known_peer(const sockaddr &from) {
    if (is_among(known_, from)) {
        return true;
    }
    const auto now = loop_.now();
    if (now < looks_again_at_) {
        return false;
    }
    looks_again_at_ = now + kBetweenLooks;
    known_ = known_remotes(settings_.agent, settings_.stream);
    return is_among(known_, from);
}

/// The receiver follows the sender among addresses known to ICE. QUIC validates all others.
OwnSocket::Remote TakenSockets::judge(const sockaddr &from) {
    if (!is_known_peer(from)) {
        return OwnSocket::Remote::Unknown;
    }
    return others_ && others_->abandon(from) ? OwnSocket::Remote::Moved
                                             : OwnSocket::Remote::Expected;
}

Address TakenSockets::expected() const {
    return others_ && others_->received() ? others_->received_from() : own_->to();
}

void TakenSockets::suspect() {
    if (settings_.relayed) {
        return;
    }
    if (spare_) {
        spare_->suspect();
        return;
    }
    spare_ = SpareSocket::open(loop_, listener_, expected(), settings_.buffer_bytes,
                               [this](const sockaddr &from) { return is_known_peer(from); });
}

void TakenSockets::confirm() {
    if (spare_ && !spare_->received()) {
        spare_.reset();
    }
}

DatagramPath::Sent TakenSockets::send_by_pair(ByteView bytes, std::size_t segment, const Way &way) {
    if (!way.remote.empty()) {
        return own_->send_to(way.remote, bytes, segment);
    }
    if (others_ && others_->received()) {
        return others_->send(bytes, segment);
    }
    return own_->sends() ? own_->send(bytes, segment)
                         : send_through(settings_.agent, settings_.stream, bytes, segment);
}

DatagramPath::Sent TakenSockets::send(ByteView bytes, std::size_t segment, const Way &way) {
    if (!spare_) {
        return send_by_pair(bytes, segment, way);
    }
    const auto to = way.remote.empty() ? expected() : way.remote;
    const auto sent = spare_->send(to, bytes, segment);
    if (!spare_->received()) {
        // The outcome is ignored: never wait for a socket that may be dead.
        send_by_pair(bytes, segment, way);
    }
    return sent;
}

} // namespace thru
