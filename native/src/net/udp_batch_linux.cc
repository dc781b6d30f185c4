#include <algorithm>
#include <cerrno>
#include <cstring>

#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "net/udp_batch.h"

namespace thru {

namespace {

// <netinet/udp.h> of older systems lacks these names; the numbers are kernel ABI.
constexpr int kUdpSegment = 103;
constexpr int kUdpGro = 104;

void set_option(int socket, int level, int option, int value) {
    // These options only improve speed, so a refusal is fine.
    setsockopt(socket, level, option, &value, sizeof value);
}

/// Linux doubles the requested size for its own records and reports the double (socket(7)).
std::uint64_t granted(int socket, int option) {
    int value = 0;
    socklen_t size = sizeof value;
    return getsockopt(socket, SOL_SOCKET, option, &value, &size) == 0 && value > 0
               ? static_cast<std::uint64_t>(value) / 2
               : 0;
}

} // namespace

SocketBuffers prepare_socket(int socket, int buffer_bytes) {
    // The FORCE options exceed net.core.[rw]mem_max, but only for root.
    set_option(socket, SOL_SOCKET, SO_RCVBUF, buffer_bytes);
    set_option(socket, SOL_SOCKET, SO_SNDBUF, buffer_bytes);
    set_option(socket, SOL_SOCKET, SO_RCVBUFFORCE, buffer_bytes);
    set_option(socket, SOL_SOCKET, SO_SNDBUFFORCE, buffer_bytes);
    set_option(socket, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_PROBE);
    set_option(socket, IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_PROBE);
    return {.receive = granted(socket, SO_RCVBUF), .send = granted(socket, SO_SNDBUF)};
}

void set_receive_batching(int socket, bool on) {
    set_option(socket, IPPROTO_UDP, kUdpGro, on ? 1 : 0);
}

namespace {

DatagramPath::Sent send_one_by_one(BatchSocket &socket, ByteView bytes, std::size_t segment,
                                   const sockaddr *to, std::size_t to_size) {
    DatagramPath::Sent sent;
    while (sent.bytes < bytes.size()) {
        const auto one =
            bytes.subspan(sent.bytes).first(std::min(segment, bytes.size() - sent.bytes));
        const auto outcome = send_batch(socket, one, one.size(), to, to_size);
        sent.too_large = sent.too_large || outcome.too_large;
        if (outcome.bytes == 0) {
            break;
        }
        sent.bytes += one.size();
    }
    return sent;
}

} // namespace

DatagramPath::Sent send_batch(BatchSocket &socket, ByteView bytes, std::size_t segment,
                              const sockaddr *to, std::size_t to_size) {
    const bool segments = bytes.size() > segment;
    if (segments && !socket.segmentation) {
        return send_one_by_one(socket, bytes, segment, to, to_size);
    }
    iovec vector{const_cast<std::uint8_t *>(bytes.data()), bytes.size()};
    msghdr message{};
    message.msg_name = const_cast<sockaddr *>(to);
    message.msg_namelen = static_cast<socklen_t>(to_size);
    message.msg_iov = &vector;
    message.msg_iovlen = 1;
    alignas(cmsghdr) std::uint8_t control[CMSG_SPACE(sizeof(std::uint16_t))] = {};
    if (segments) {
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        auto *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = IPPROTO_UDP;
        header->cmsg_type = kUdpSegment;
        header->cmsg_len = CMSG_LEN(sizeof(std::uint16_t));
        const auto size = static_cast<std::uint16_t>(segment);
        std::memcpy(CMSG_DATA(header), &size, sizeof size);
    }
    for (;;) {
        if (sendmsg(socket.descriptor, &message, MSG_DONTWAIT) >= 0) {
            return {.bytes = bytes.size()};
        }
        if (errno == EINTR) {
            continue;
        }
        if (errno == EAGAIN || errno == ENOBUFS) {
            return {};
        }
        if (segments && (errno == EIO || errno == EINVAL)) {
            // A device that can't segment reports it only here, by either error. Kernels before
            // 6.14 also return EINVAL for segments larger than the MTU.
            const bool unclear = errno == EINVAL;
            const auto sent = send_one_by_one(socket, bytes, segment, to, to_size);
            socket.segmentation = unclear && (sent.too_large || sent.bytes == 0);
            return sent;
        }
        return {.bytes = bytes.size(), .too_large = errno == EMSGSIZE};
    }
}

bool receive_batch(int socket, MutableByteView buffer, const TakeDatagrams &take) {
    iovec vector{buffer.data(), buffer.size()};
    sockaddr_storage from{};
    msghdr message{};
    message.msg_name = &from;
    message.msg_namelen = sizeof from;
    message.msg_iov = &vector;
    message.msg_iovlen = 1;
    alignas(cmsghdr) std::uint8_t control[CMSG_SPACE(sizeof(int))];
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    ssize_t size = 0;
    do {
        size = recvmsg(socket, &message, MSG_DONTWAIT);
    } while (size < 0 && errno == EINTR);
    if (size <= 0) {
        // Skip the empty datagram; others may follow it.
        return size == 0;
    }
    const auto bytes = static_cast<std::size_t>(size);
    auto segment = bytes;
    for (auto *header = CMSG_FIRSTHDR(&message); header != nullptr;
         header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level == IPPROTO_UDP && header->cmsg_type == kUdpGro) {
            int joined = 0;
            std::memcpy(&joined, CMSG_DATA(header), sizeof joined);
            if (joined > 0) {
                segment = static_cast<std::size_t>(joined);
            }
        }
    }
    take(buffer.first(bytes), segment, reinterpret_cast<const sockaddr &>(from));
    return true;
}

} // namespace thru
