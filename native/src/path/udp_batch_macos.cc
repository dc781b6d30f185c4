// macOS has no segmentation offload for UDP: one datagram in a call.
#include <algorithm>
#include <cerrno>

#include <netinet/in.h>
#include <sys/socket.h>

#include "path/udp_batch.h"

namespace thru {

namespace {

std::uint64_t granted(int socket, int option) {
    int value = 0;
    socklen_t size = sizeof value;
    return getsockopt(socket, SOL_SOCKET, option, &value, &size) == 0 && value > 0
               ? static_cast<std::uint64_t>(value)
               : 0;
}

} // namespace

SocketBuffers prepare_socket(int socket, int buffer_bytes) {
    const int on = 1;
    setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &buffer_bytes, sizeof buffer_bytes);
    setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &buffer_bytes, sizeof buffer_bytes);
    setsockopt(socket, IPPROTO_IP, IP_DONTFRAG, &on, sizeof on);
    setsockopt(socket, IPPROTO_IPV6, IPV6_DONTFRAG, &on, sizeof on);
    return {.receive = granted(socket, SO_RCVBUF), .send = granted(socket, SO_SNDBUF)};
}

void set_receive_batching(int, bool) {}

DatagramPath::Sent send_batch(BatchSocket &socket, ByteView bytes, std::size_t segment,
                              const sockaddr *to, std::size_t to_size) {
    DatagramPath::Sent sent;
    while (sent.bytes < bytes.size()) {
        const auto size = std::min(segment, bytes.size() - sent.bytes);
        const auto outcome = sendto(socket.descriptor, bytes.data() + sent.bytes, size,
                                    MSG_DONTWAIT, to, static_cast<socklen_t>(to_size));
        if (outcome < 0 && errno == EINTR) {
            continue;
        }
        if (outcome < 0 && (errno == EAGAIN || errno == ENOBUFS)) {
            break;
        }
        sent.too_large = sent.too_large || (outcome < 0 && errno == EMSGSIZE);
        sent.bytes += size;
    }
    return sent;
}

ReceivedBatch receive_batch(int socket, MutableByteView buffer) {
    ssize_t size = 0;
    do {
        size = recv(socket, buffer.data(), buffer.size(), MSG_DONTWAIT);
    } while (size < 0 && errno == EINTR);
    const auto bytes = size > 0 ? static_cast<std::size_t>(size) : 0;
    return {bytes, bytes};
}

} // namespace thru
