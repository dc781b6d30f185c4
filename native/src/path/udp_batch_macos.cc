// macOS has no segmentation offload for UDP: one datagram in a call.
#include <algorithm>
#include <cerrno>

#include <netinet/in.h>
#include <sys/socket.h>

#include "path/udp_batch.h"

namespace thru {

void prepare_socket(int socket) {
    const int bytes = kSocketBufferBytes;
    const int on = 1;
    setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    setsockopt(socket, IPPROTO_IP, IP_DONTFRAG, &on, sizeof on);
    setsockopt(socket, IPPROTO_IPV6, IPV6_DONTFRAG, &on, sizeof on);
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
