#include "path/detached_sockets.h"

#include <utility>

namespace thru {

namespace {

/// Minimum time between queries, which strangers can trigger.
constexpr Timestamp kBetweenLooks = 100 * kMillisecond;

} // namespace

DetachedSockets::DetachedSockets(EventLoop &loop, DatagramListener &listener, Settings settings)
    : loop_(loop), listener_(listener), settings_(std::move(settings)) {
    pair_.emplace(
        loop, listener,
        PairSocket::Settings{.descriptor = g_socket_get_fd(settings_.socket.get()),
                             .to = settings_.to,
                             .relayed = settings_.relayed,
                             .set_agent_reading = settings_.set_agent_reading,
                             .on_received = [this](const sockaddr &from) { return judge(from); }});
    if (settings_.follows) {
        candidates_.emplace(
            loop, listener,
            CandidateSockets::Settings{
                .descriptors =
                    sockets_beside(settings_.agent, settings_.stream, settings_.socket.get()),
                .is_known_peer = [this](const sockaddr &from) { return is_known_peer(from); }});
    }
}

DetachedSockets::~DetachedSockets() {
    probe_.reset();
    candidates_.reset();
    pair_.reset();
}

/// The first working pair is used immediately, so candidates and other checks may still arrive.
bool DetachedSockets::is_known_peer(const sockaddr &from) {
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
PairSocket::Remote DetachedSockets::judge(const sockaddr &from) {
    if (!is_known_peer(from)) {
        return PairSocket::Remote::Unknown;
    }
    return candidates_ && candidates_->abandon(from) ? PairSocket::Remote::Moved
                                                     : PairSocket::Remote::Expected;
}

Address DetachedSockets::expected() const {
    return candidates_ && candidates_->received() ? candidates_->received_from() : pair_->to();
}

void DetachedSockets::suspect() {
    if (settings_.relayed) {
        return;
    }
    if (probe_) {
        probe_->suspect();
        return;
    }
    probe_ = ProbeSocket::open(loop_, listener_, expected(), settings_.buffer_bytes,
                               [this](const sockaddr &from) { return is_known_peer(from); });
}

void DetachedSockets::confirm() {
    if (probe_ && !probe_->received()) {
        probe_.reset();
    }
}

DatagramPath::Sent DetachedSockets::send_by_pair(ByteView bytes, std::size_t segment,
                                                 const PathId &path_id) {
    if (!path_id.remote.empty()) {
        return pair_->send_to(path_id.remote, bytes, segment);
    }
    if (candidates_ && candidates_->received()) {
        return candidates_->send(bytes, segment);
    }
    return pair_->sends() ? pair_->send(bytes, segment)
                          : send_through(settings_.agent, settings_.stream, bytes, segment);
}

DatagramPath::Sent DetachedSockets::send(ByteView bytes, std::size_t segment,
                                         const PathId &path_id) {
    if (!probe_) {
        return send_by_pair(bytes, segment, path_id);
    }
    const auto to = path_id.remote.empty() ? expected() : path_id.remote;
    const auto sent = probe_->send(to, bytes, segment);
    if (!probe_->received()) {
        // The outcome is ignored: never wait for a socket that may be dead.
        send_by_pair(bytes, segment, path_id);
    }
    return sent;
}

} // namespace thru
