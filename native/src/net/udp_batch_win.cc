// Windows segments and joins UDP datagrams since Windows 10 2004. Older systems, and Wine, refuse
// the option; each call then handles one datagram.
#include <algorithm>
#include <cstring>

#include <winsock2.h>

#include <mswsock.h>
#include <ws2tcpip.h>

#include "net/udp_batch.h"

namespace thru {

namespace {

// Constants of ws2tcpip.h and mstcpip.h that older SDKs lack.
constexpr int kUdpSendMsgSize = 2;
constexpr int kUdpRecvMaxCoalescedSize = 3;
constexpr int kUdpCoalescedInfo = 3;
constexpr DWORD kUdpConnectionReset = IOC_IN | IOC_VENDOR | 12;
constexpr DWORD kUdpNetworkReset = IOC_IN | IOC_VENDOR | 15;

/// A control message with one DWORD, used in both directions.
union Control {
    WSACMSGHDR header;
    char bytes[WSA_CMSG_SPACE(sizeof(DWORD))];
};

void set_number(SOCKET socket, int level, int option, DWORD value) {
    // These options only improve speed, so a refusal is fine.
    setsockopt(socket, level, option, reinterpret_cast<const char *>(&value), sizeof value);
}

/// True if this system knows a UDP option, for every socket or for none.
bool knows_option(SOCKET socket, int option) {
    DWORD value = 0;
    int size = sizeof value;
    return getsockopt(socket, IPPROTO_UDP, option, reinterpret_cast<char *>(&value), &size) == 0;
}

std::uint64_t granted(SOCKET socket, int option) {
    int value = 0;
    int size = sizeof value;
    return getsockopt(socket, SOL_SOCKET, option, reinterpret_cast<char *>(&value), &size) == 0 &&
                   value > 0
               ? static_cast<std::uint64_t>(value)
               : 0;
}

/// The address of WSARecvMsg, which no library exports; null if it is missing.
LPFN_WSARECVMSG find_receive(SOCKET socket) {
    GUID id = WSAID_WSARECVMSG;
    LPFN_WSARECVMSG found = nullptr;
    DWORD bytes = 0;
    const int outcome = WSAIoctl(socket, SIO_GET_EXTENSION_FUNCTION_POINTER, &id, sizeof id, &found,
                                 sizeof found, &bytes, nullptr, nullptr);
    return outcome == 0 ? found : nullptr;
}

bool joins(SOCKET socket) {
    static const bool known =
        knows_option(socket, kUdpRecvMaxCoalescedSize) && find_receive(socket) != nullptr;
    return known;
}

bool segments(SOCKET socket) {
    static const bool known = knows_option(socket, kUdpSendMsgSize);
    return known;
}

} // namespace

SocketBuffers prepare_socket(int socket, int buffer_bytes) {
    const auto handle = static_cast<SOCKET>(socket);
    set_number(handle, SOL_SOCKET, SO_RCVBUF, static_cast<DWORD>(buffer_bytes));
    set_number(handle, SOL_SOCKET, SO_SNDBUF, static_cast<DWORD>(buffer_bytes));
    set_number(handle, IPPROTO_IP, IP_DONTFRAGMENT, 1);
    set_number(handle, IPPROTO_IPV6, IPV6_DONTFRAG, 1);
    // Otherwise an ICMP message from any host makes the next receive fail.
    for (const DWORD report : {kUdpConnectionReset, kUdpNetworkReset}) {
        BOOL on = FALSE;
        DWORD bytes = 0;
        WSAIoctl(handle, report, &on, sizeof on, nullptr, 0, &bytes, nullptr, nullptr);
    }
    return {.receive = granted(handle, SO_RCVBUF), .send = granted(handle, SO_SNDBUF)};
}

void set_receive_batching(int socket, bool on) {
    const auto handle = static_cast<SOCKET>(socket);
    if (joins(handle)) {
        constexpr DWORD kMaxPayload = 65'535 - 8; // without the UDP header
        set_number(handle, IPPROTO_UDP, kUdpRecvMaxCoalescedSize, on ? kMaxPayload : 0);
    }
}

namespace {

/// The outcome of a call that ended with `error`.
DatagramPath::Sent outcome_of(int error, std::size_t bytes) {
    if (error == WSAEWOULDBLOCK || error == WSAENOBUFS) {
        return {};
    }
    return {.bytes = bytes, .too_large = error == WSAEMSGSIZE};
}

/// Returns the error of the call, or 0.
int send_segmented(SOCKET socket, ByteView bytes, std::size_t segment, const sockaddr *to,
                   std::size_t to_size) {
    WSABUF buffer{static_cast<ULONG>(bytes.size()),
                  reinterpret_cast<char *>(const_cast<std::uint8_t *>(bytes.data()))};
    Control control{};
    WSAMSG message{};
    message.name = const_cast<sockaddr *>(to);
    message.namelen = static_cast<INT>(to_size);
    message.lpBuffers = &buffer;
    message.dwBufferCount = 1;
    message.Control = {sizeof control, control.bytes};
    control.header.cmsg_level = IPPROTO_UDP;
    control.header.cmsg_type = kUdpSendMsgSize;
    control.header.cmsg_len = WSA_CMSG_LEN(sizeof(DWORD));
    const auto size = static_cast<DWORD>(segment);
    std::memcpy(WSA_CMSG_DATA(&control.header), &size, sizeof size);
    DWORD sent = 0;
    return WSASendMsg(socket, &message, 0, &sent, nullptr, nullptr) == 0 ? 0 : WSAGetLastError();
}

DatagramPath::Sent send_one_by_one(SOCKET socket, ByteView bytes, std::size_t segment,
                                   const sockaddr *to, std::size_t to_size) {
    DatagramPath::Sent sent;
    while (sent.bytes < bytes.size()) {
        const auto size = std::min(segment, bytes.size() - sent.bytes);
        const auto *start = reinterpret_cast<const char *>(bytes.data() + sent.bytes);
        const bool failed = sendto(socket, start, static_cast<int>(size), 0, to,
                                   static_cast<int>(to_size)) == SOCKET_ERROR;
        const auto one = outcome_of(failed ? WSAGetLastError() : 0, size);
        sent.too_large = sent.too_large || one.too_large;
        if (one.bytes == 0) {
            break;
        }
        sent.bytes += size;
    }
    return sent;
}

bool receive_joined(SOCKET socket, MutableByteView buffer, const TakeDatagrams &take) {
    static const auto receive = find_receive(socket);
    WSABUF into{static_cast<ULONG>(buffer.size()), reinterpret_cast<char *>(buffer.data())};
    Control control{};
    sockaddr_storage from{};
    WSAMSG message{};
    message.name = reinterpret_cast<sockaddr *>(&from);
    message.namelen = sizeof from;
    message.lpBuffers = &into;
    message.dwBufferCount = 1;
    message.Control = {sizeof control, control.bytes};
    DWORD size = 0;
    if (receive(socket, &message, &size, nullptr, nullptr) != 0) {
        return false;
    }
    if (size == 0) {
        // Skip the empty datagram; others may follow it.
        return true;
    }
    std::size_t each = size;
    for (auto *header = WSA_CMSG_FIRSTHDR(&message); header != nullptr;
         header = WSA_CMSG_NXTHDR(&message, header)) {
        DWORD segment = 0;
        if (header->cmsg_level == IPPROTO_UDP && header->cmsg_type == kUdpCoalescedInfo &&
            header->cmsg_len >= WSA_CMSG_LEN(sizeof segment)) {
            std::memcpy(&segment, WSA_CMSG_DATA(header), sizeof segment);
            each = segment > 0 ? segment : each;
        }
    }
    take(buffer.first(size), each, reinterpret_cast<const sockaddr &>(from));
    return true;
}

} // namespace

DatagramPath::Sent send_batch(BatchSocket &socket, ByteView bytes, std::size_t segment,
                              const sockaddr *to, std::size_t to_size) {
    const auto handle = static_cast<SOCKET>(socket.descriptor);
    if (bytes.size() > segment && socket.segmentation && segments(handle)) {
        const int error = send_segmented(handle, bytes, segment, to, to_size);
        if (error != WSAEINVAL) {
            return outcome_of(error, bytes.size());
        }
        // The device can't segment, or the segments exceed its MTU.
        const auto sent = send_one_by_one(handle, bytes, segment, to, to_size);
        socket.segmentation = sent.too_large || sent.bytes == 0;
        return sent;
    }
    return send_one_by_one(handle, bytes, segment, to, to_size);
}

bool receive_batch(int socket, MutableByteView buffer, const TakeDatagrams &take) {
    const auto handle = static_cast<SOCKET>(socket);
    if (joins(handle)) {
        return receive_joined(handle, buffer, take);
    }
    sockaddr_storage from{};
    int from_size = sizeof from;
    const int size =
        recvfrom(handle, reinterpret_cast<char *>(buffer.data()), static_cast<int>(buffer.size()),
                 0, reinterpret_cast<sockaddr *>(&from), &from_size);
    if (size <= 0) {
        return size == 0;
    }
    const auto bytes = static_cast<std::size_t>(size);
    take(buffer.first(bytes), bytes, reinterpret_cast<const sockaddr &>(from));
    return true;
}

} // namespace thru
