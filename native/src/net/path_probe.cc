#include "net/path_probe.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "crypto/random.h"
#include "net/gio.h"

namespace thru {

namespace {

struct ProbeUnref {
    void operator()(gpointer object) const { g_object_unref(object); }
};
using UniqueSocket = std::unique_ptr<GSocket, ProbeUnref>;

constexpr std::size_t kMaxSizes = 16;
/// Number of times that an unanswered request is sent within `patience`.
constexpr int kProbeRounds = 4;

/// RFC 8489 section 5; a server ignores unknown optional attributes.
constexpr std::size_t kProbeHeaderBytes = 20;
constexpr std::size_t kProbeAttributeBytes = 4;
constexpr std::size_t kProbeTransactionAt = 8;
constexpr std::size_t kProbeTransactionBytes = 12;
constexpr std::array<std::uint8_t, 4> kProbeCookie{0x21, 0x12, 0xa4, 0x42};
constexpr std::uint16_t kPaddingAttribute = 0xfffe;

UniqueSocket probe_socket(GSocketFamily family) {
    UniqueSocket socket(
        g_socket_new(family, G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP, nullptr));
    if (socket) {
        g_socket_set_blocking(socket.get(), FALSE);
    }
    return socket;
}

void put_probe_16(MutableByteView bytes, std::size_t at, std::size_t value) {
    bytes[at] = static_cast<std::uint8_t>(value >> 8);
    bytes[at + 1] = static_cast<std::uint8_t>(value);
}

/// A binding request of `size` bytes, whose transaction ID ends with `index`.
Bytes padded_probe(ByteView transaction, std::size_t index, std::size_t size) {
    Bytes request(size);
    put_probe_16(request, 0, 0x0001);
    put_probe_16(request, 2, size - kProbeHeaderBytes);
    std::ranges::copy(kProbeCookie, request.begin() + 4);
    std::ranges::copy(transaction, request.begin() + kProbeTransactionAt);
    request[kProbeHeaderBytes - 1] = static_cast<std::uint8_t>(index);
    put_probe_16(request, kProbeHeaderBytes, kPaddingAttribute);
    put_probe_16(request, kProbeHeaderBytes + 2, size - kProbeHeaderBytes - kProbeAttributeBytes);
    return request;
}

/// The index of the request that this answers; an error response is an answer too.
std::optional<std::size_t> probe_answered(ByteView answer, ByteView transaction,
                                          std::size_t count) {
    const bool is_answer =
        answer.size() >= kProbeHeaderBytes && answer[0] == 0x01 &&
        (answer[1] == 0x01 || answer[1] == 0x11) &&
        std::ranges::equal(answer.subspan(4, kProbeCookie.size()), kProbeCookie) &&
        std::ranges::equal(answer.subspan(kProbeTransactionAt, kProbeTransactionBytes - 1),
                           transaction.first(kProbeTransactionBytes - 1));
    const std::size_t index = is_answer ? answer[kProbeHeaderBytes - 1] : count;
    return index < count ? std::optional(index) : std::nullopt;
}

} // namespace

SocketBuffers granted_buffers(int wanted) {
    const auto socket = probe_socket(G_SOCKET_FAMILY_IPV4);
    return socket ? prepare_socket(g_socket_get_fd(socket.get()), wanted) : SocketBuffers{};
}

std::uint16_t largest_datagram(const std::string &address, std::uint16_t port,
                               std::span<const std::uint16_t> sizes,
                               std::chrono::milliseconds patience) {
    const std::unique_ptr<GSocketAddress, ProbeUnref> to(
        g_inet_socket_address_new_from_string(address.c_str(), port));
    const bool usable = std::ranges::all_of(sizes, [](std::uint16_t size) {
        return size >= kProbeHeaderBytes + kProbeAttributeBytes && size % 4 == 0;
    });
    if (!to || !usable || sizes.empty() || sizes.size() > kMaxSizes) {
        return 0;
    }
    const auto socket = probe_socket(g_socket_address_get_family(to.get()));
    if (!socket) {
        return 0;
    }
    prepare_socket(g_socket_get_fd(socket.get()), kSocketBufferBytes);
    std::array<std::uint8_t, kProbeTransactionBytes> transaction{};
    random_bytes(transaction);

    const auto wanted = *std::ranges::max_element(sizes);
    std::vector<bool> passed(sizes.size());
    std::uint16_t largest = 0;
    const gint64 begun = g_get_monotonic_time();
    const gint64 turn = std::chrono::microseconds(patience).count() / kProbeRounds;
    for (int round = 0; round < kProbeRounds && largest < wanted; ++round) {
        for (std::size_t index = 0; index < sizes.size(); ++index) {
            if (!passed[index]) {
                // If this computer's own network refuses a size, that size is never answered.
                const auto request = padded_probe(transaction, index, sizes[index]);
                g_socket_send_to(socket.get(), to.get(),
                                 reinterpret_cast<const gchar *>(request.data()), request.size(),
                                 nullptr, nullptr);
            }
        }
        const gint64 until = begun + turn * (round + 1);
        for (gint64 left = turn; left > 0 && largest < wanted;
             left = until - g_get_monotonic_time()) {
            if (g_socket_condition_timed_wait(socket.get(), G_IO_IN, left, nullptr, nullptr) ==
                FALSE) {
                break;
            }
            std::array<std::uint8_t, 2048> bytes{};
            const gssize read = g_socket_receive_from(socket.get(), nullptr,
                                                      reinterpret_cast<gchar *>(bytes.data()),
                                                      bytes.size(), nullptr, nullptr);
            if (read <= 0) {
                // An ICMP error, for example; the next wait would report it again.
                continue;
            }
            const auto index = probe_answered(ByteView(bytes).first(static_cast<std::size_t>(read)),
                                              transaction, sizes.size());
            if (index) {
                passed[*index] = true;
                largest = std::max(largest, sizes[*index]);
            }
        }
    }
    return largest;
}

} // namespace thru
