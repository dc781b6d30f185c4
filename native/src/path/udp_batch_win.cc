// Windows segments and joins UDP datagrams since Windows 10 2004 (UDP_SEND_MSG_SIZE,
// UDP_RECV_MAX_COALESCED_SIZE). Joined receives need WSARecvMsg for the segment length, which this
// file does not use: each datagram is read alone.
#include <algorithm>

#include <winsock2.h>
#include <ws2tcpip.h>

#include "path/udp_batch.h"

namespace thru {

namespace {

std::uint64_t granted(SOCKET socket, int option) {
    int value = 0;
    int size = sizeof value;
    return getsockopt(socket, SOL_SOCKET, option, reinterpret_cast<char *>(&value), &size) == 0 &&
                   value > 0
               ? static_cast<std::uint64_t>(value)
               : 0;
}

} // namespace

SocketBuffers prepare_socket(int socket, int buffer_bytes) {
    const DWORD on = 1;
    const auto handle = static_cast<SOCKET>(socket);
    const auto *bytes = reinterpret_cast<const char *>(&buffer_bytes);
    setsockopt(handle, SOL_SOCKET, SO_RCVBUF, bytes, sizeof buffer_bytes);
    setsockopt(handle, SOL_SOCKET, SO_SNDBUF, bytes, sizeof buffer_bytes);
    setsockopt(handle, IPPROTO_IP, IP_DONTFRAGMENT, reinterpret_cast<const char *>(&on), sizeof on);
    setsockopt(handle, IPPROTO_IPV6, IPV6_DONTFRAG, reinterpret_cast<const char *>(&on), sizeof on);
    return {.receive = granted(handle, SO_RCVBUF), .send = granted(handle, SO_SNDBUF)};
}

void set_receive_batching(int, bool) {}

DatagramPath::Sent send_batch(BatchSocket &socket, ByteView bytes, std::size_t segment,
                              const sockaddr *to, std::size_t to_size) {
    DatagramPath::Sent sent;
    while (sent.bytes < bytes.size()) {
        const auto size = std::min(segment, bytes.size() - sent.bytes);
        const auto outcome = sendto(static_cast<SOCKET>(socket.descriptor),
                                    reinterpret_cast<const char *>(bytes.data() + sent.bytes),
                                    static_cast<int>(size), 0, to, static_cast<int>(to_size));
        const auto error = outcome < 0 ? WSAGetLastError() : 0;
        if (error == WSAEWOULDBLOCK || error == WSAENOBUFS) {
            break;
        }
        sent.too_large = sent.too_large || error == WSAEMSGSIZE;
        sent.bytes += size;
    }
    return sent;
}

bool receive_batch(int socket, MutableByteView buffer, const TakeDatagrams &take) {
    const auto size = recv(static_cast<SOCKET>(socket), reinterpret_cast<char *>(buffer.data()),
                           static_cast<int>(buffer.size()), 0);
    if (size <= 0) {
        return false;
    }
    const auto bytes = static_cast<std::size_t>(size);
    take(buffer.first(bytes), bytes);
    return true;
}

} // namespace thru
