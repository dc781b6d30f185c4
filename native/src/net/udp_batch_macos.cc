// macOS has no segmentation offload for UDP. Several datagrams are sent in one call by sendmsg_x
// and received by recvmsg_x, which exist since 10.10 but are not in the headers. The declarations
// here follow bsd/sys/socket_private.h of xnu. The calls are looked up at run time; without them,
// each call handles one datagram.
#ifndef __APPLE_USE_RFC_3542
#define __APPLE_USE_RFC_3542 // Otherwise the headers hide IPV6_DONTFRAG.
#endif

#include <algorithm>
#include <array>
#include <cerrno>

#include <dlfcn.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "net/udp_batch.h"

namespace thru {

namespace {

/// The struct msghdr_x of xnu.
struct BatchMessage {
    void *name;
    socklen_t name_size;
    iovec *vectors;
    int vector_count;
    void *control;
    socklen_t control_size;
    int flags;
    /// Bytes received; 0 before the call.
    std::size_t received;
};

using BatchCall = ssize_t (*)(int, const BatchMessage *, unsigned, int);

BatchCall batch_call(const char *name) {
    return reinterpret_cast<BatchCall>(dlsym(RTLD_DEFAULT, name));
}

/// Datagrams per call: a burst of the packet writer. The system accepts up to 100.
constexpr std::size_t kSentTogether = 44;

/// Larger than a peer's largest datagram, which fits a frame of 9,000 bytes.
constexpr std::size_t kSlotBytes = 9 * 1024;
constexpr std::size_t kSlots = kReceiveBatchBytes / kSlotBytes;

std::uint64_t granted(int socket, int option) {
    int value = 0;
    socklen_t size = sizeof value;
    return getsockopt(socket, SOL_SOCKET, option, &value, &size) == 0 && value > 0
               ? static_cast<std::uint64_t>(value)
               : 0;
}

/// Sends the first datagrams of `bytes` in one call. Returns their number, or -1 with errno.
ssize_t send_together(BatchCall call, int socket, ByteView bytes, std::size_t segment,
                      const sockaddr *to, std::size_t to_size) {
    std::array<iovec, kSentTogether> vectors{};
    std::array<BatchMessage, kSentTogether> messages{};
    std::size_t count = 0;
    for (; !bytes.empty() && count < kSentTogether; ++count) {
        const auto one = bytes.first(std::min(segment, bytes.size()));
        vectors.at(count) = {const_cast<std::uint8_t *>(one.data()), one.size()};
        auto &message = messages.at(count);
        message.name = const_cast<sockaddr *>(to);
        message.name_size = static_cast<socklen_t>(to_size);
        message.vectors = &vectors.at(count);
        message.vector_count = 1;
        bytes = bytes.subspan(one.size());
    }
    return call(socket, messages.data(), static_cast<unsigned>(count), MSG_DONTWAIT);
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
    static const BatchCall kSend = batch_call("sendmsg_x");
    DatagramPath::Sent sent;
    while (sent.bytes < bytes.size()) {
        const auto rest = bytes.subspan(sent.bytes);
        if (kSend != nullptr && socket.segmentation && rest.size() > segment) {
            const auto count = send_together(kSend, socket.descriptor, rest, segment, to, to_size);
            if (count > 0) {
                sent.bytes += std::min(static_cast<std::size_t>(count) * segment, rest.size());
                continue;
            }
            // Some systems accept no address here, or lack the call.
            socket.segmentation = errno != EINVAL && errno != ENOSYS && errno != EISCONN;
        }
        // The first remaining datagram is sent alone, to get its own error.
        const auto size = std::min(segment, rest.size());
        const auto outcome = sendto(socket.descriptor, rest.data(), size, MSG_DONTWAIT, to,
                                    static_cast<socklen_t>(to_size));
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

namespace {

bool receive_one(int socket, MutableByteView buffer, const TakeDatagrams &take) {
    ssize_t size = 0;
    sockaddr_storage from{};
    do {
        socklen_t from_size = sizeof from;
        size = recvfrom(socket, buffer.data(), buffer.size(), MSG_DONTWAIT,
                        reinterpret_cast<sockaddr *>(&from), &from_size);
    } while (size < 0 && errno == EINTR);
    if (size <= 0) {
        // Skip the empty datagram; others may follow it.
        return size == 0;
    }
    const auto bytes = static_cast<std::size_t>(size);
    take(buffer.first(bytes), bytes, reinterpret_cast<const sockaddr &>(from));
    return true;
}

} // namespace

bool receive_batch(int socket, MutableByteView buffer, const TakeDatagrams &take) {
    static const BatchCall kReceive = batch_call("recvmsg_x");
    if (kReceive == nullptr || buffer.size() < kSlots * kSlotBytes) {
        return receive_one(socket, buffer, take);
    }
    std::array<iovec, kSlots> vectors{};
    std::array<BatchMessage, kSlots> messages{};
    std::array<sockaddr_storage, kSlots> sources{};
    for (std::size_t index = 0; index < kSlots; ++index) {
        vectors.at(index) = {buffer.data() + index * kSlotBytes, kSlotBytes};
        messages.at(index).vectors = &vectors.at(index);
        messages.at(index).vector_count = 1;
        messages.at(index).name = &sources.at(index);
        messages.at(index).name_size = sizeof sources.at(index);
    }
    ssize_t count = 0;
    do {
        count = kReceive(socket, messages.data(), kSlots, MSG_DONTWAIT);
    } while (count < 0 && errno == EINTR);
    if (count < 0 && (errno == EINVAL || errno == ENOSYS)) {
        return receive_one(socket, buffer, take);
    }
    if (count <= 0) {
        return false;
    }
    const auto filled = std::min(static_cast<std::size_t>(count), kSlots);
    for (std::size_t index = 0; index < filled; ++index) {
        const auto size = messages.at(index).received;
        // A peer never sends a datagram large enough to be truncated.
        if (size > 0 && size <= kSlotBytes && (messages.at(index).flags & MSG_TRUNC) == 0) {
            take(buffer.subspan(index * kSlotBytes, size), size,
                 reinterpret_cast<const sockaddr &>(sources.at(index)));
        }
    }
    return true;
}

} // namespace thru
