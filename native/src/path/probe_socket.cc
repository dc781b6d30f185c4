#include "path/probe_socket.h"

#include <algorithm>
#include <utility>

#include "path/demux.h"

namespace thru {

namespace {

constexpr int kProbeReadsPerTurn = 16;

} // namespace

std::unique_ptr<ProbeSocket> ProbeSocket::open(EventLoop &loop, DatagramListener &listener,
                                               const Address &like, int buffer_bytes,
                                               IsKnownPeer is_known_peer) {
    NiceAddress wanted;
    nice_address_set_from_sockaddr(&wanted, like.get());
    const auto family =
        nice_address_ip_version(&wanted) == 6 ? G_SOCKET_FAMILY_IPV6 : G_SOCKET_FAMILY_IPV4;
    SocketPointer socket(
        g_socket_new(family, G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP, nullptr));
    if (!socket) {
        return nullptr;
    }
    g_socket_set_blocking(socket.get(), FALSE);
    const std::unique_ptr<GInetAddress, ObjectDeleter> any(g_inet_address_new_any(family));
    const std::unique_ptr<GSocketAddress, ObjectDeleter> own(
        g_inet_socket_address_new(any.get(), 0));
    if (g_socket_bind(socket.get(), own.get(), FALSE, nullptr) == FALSE) {
        return nullptr;
    }
    prepare_socket(g_socket_get_fd(socket.get()), buffer_bytes);
    return std::unique_ptr<ProbeSocket>(
        new ProbeSocket(loop, listener, std::move(socket), std::move(is_known_peer)));
}

ProbeSocket::ProbeSocket(EventLoop &loop, DatagramListener &listener, SocketPointer socket,
                         IsKnownPeer is_known_peer)
    : loop_(loop), listener_(listener), owner_(std::move(socket)),
      socket_{.descriptor = g_socket_get_fd(owner_.get())},
      is_known_peer_(std::move(is_known_peer)), buffer_(kReceiveBatchBytes) {
    set_receive_batching(socket_.descriptor, true);
    loop_.watch(socket_.descriptor, [this] { read(); });
}

ProbeSocket::~ProbeSocket() { loop_.unwatch(socket_.descriptor); }

void ProbeSocket::read() {
    if (full_) {
        set_full(false);
        listener_.on_writable();
    }
    const auto take = [this](ByteView bytes, std::size_t segment, const sockaddr &from) {
        receive(bytes, segment, from);
    };
    for (int batch = 0; batch < kProbeReadsPerTurn; ++batch) {
        if (!receive_batch(socket_.descriptor, buffer_, take)) {
            return;
        }
    }
}

void ProbeSocket::receive(ByteView bytes, std::size_t segment, const sockaddr &from) {
    // The other side's ICE doesn't know this socket, so anything but QUIC is from a stranger.
    for (std::size_t at = 0; at < bytes.size(); at += segment) {
        if (!is_quic(bytes.subspan(at))) {
            return;
        }
    }
    const bool known = is_known_peer_(from);
    received_ = received_ || known;
    listener_.on_datagrams(bytes, segment, known ? Address() : Address(from));
}

void ProbeSocket::set_full(bool full) {
    if (full != full_) {
        full_ = full;
        loop_.want_write(socket_.descriptor, full);
    }
}

DatagramPath::Sent ProbeSocket::send(const Address &to, ByteView bytes, std::size_t segment) {
    const auto sent = send_batch(socket_, bytes, segment, to.get(), to.size());
    set_full(sent.bytes < bytes.size());
    return sent;
}

} // namespace thru
