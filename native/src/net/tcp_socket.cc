#include "net/tcp_socket.h"

#include <vector>

// Each system declares addresses and options in its own headers.
#include <gio/gnetworking.h>

namespace thru {

namespace {

#ifdef TCP_NOTSENT_LOWAT
/// About one burst of QUIC waits in the system. The rest waits in the engine, where it can still be
/// reordered, so nothing piles up below congestion control.
constexpr gint kUnsentBytes = 64 * 1024;
#endif

void prepare(GSocket *socket) {
    g_socket_set_blocking(socket, FALSE);
#ifdef TCP_NODELAY
    g_socket_set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1, nullptr);
#endif
#ifdef TCP_NOTSENT_LOWAT
    g_socket_set_option(socket, IPPROTO_TCP, TCP_NOTSENT_LOWAT, kUnsentBytes, nullptr);
#endif
}

/// Takes the caller's reference.
Address address_of(GSocketAddress *address) {
    if (address == nullptr) {
        return {};
    }
    sockaddr_storage native{};
    const bool known =
        g_socket_address_to_native(address, &native, sizeof native, nullptr) != FALSE;
    g_object_unref(address);
    return known ? Address(reinterpret_cast<const sockaddr &>(native)) : Address();
}

/// The outcome of a call that returned `moved`; `zero` is the outcome for no bytes.
std::optional<std::size_t> outcome(gssize moved, GError *failure, std::optional<std::size_t> zero) {
    const bool later =
        moved < 0 && g_error_matches(failure, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK) != FALSE;
    g_clear_error(&failure);
    if (moved > 0) {
        return static_cast<std::size_t>(moved);
    }
    return later ? std::optional<std::size_t>{0} : moved == 0 ? zero : std::nullopt;
}

} // namespace

std::unique_ptr<TcpSocket> TcpSocket::connect(const std::string &host, std::uint16_t port) {
    auto *address = g_inet_socket_address_new_from_string(host.c_str(), port);
    if (address == nullptr) {
        return nullptr;
    }
    std::unique_ptr<TcpSocket> made;
    auto *socket = g_socket_new(g_socket_address_get_family(address), G_SOCKET_TYPE_STREAM,
                                G_SOCKET_PROTOCOL_TCP, nullptr);
    if (socket != nullptr) {
        made = std::make_unique<TcpSocket>(socket);
        GError *failure = nullptr;
        if (g_socket_connect(socket, address, nullptr, &failure) == FALSE &&
            g_error_matches(failure, G_IO_ERROR, G_IO_ERROR_PENDING) == FALSE) {
            made.reset();
        }
        g_clear_error(&failure);
    }
    g_object_unref(address);
    return made;
}

TcpSocket::TcpSocket(GSocket *socket) : socket_(socket) { prepare(socket_); }

TcpSocket::~TcpSocket() {
    g_socket_close(socket_, nullptr);
    g_object_unref(socket_);
}

int TcpSocket::descriptor() const { return g_socket_get_fd(socket_); }

Address TcpSocket::remote() const {
    return address_of(g_socket_get_remote_address(socket_, nullptr));
}

Address TcpSocket::local() const {
    return address_of(g_socket_get_local_address(socket_, nullptr));
}

TcpSocket::Progress TcpSocket::progress() {
    constexpr auto kDecided = static_cast<GIOCondition>(G_IO_OUT | G_IO_ERR | G_IO_HUP);
    if (g_socket_condition_check(socket_, kDecided) == 0) {
        return Progress::Pending;
    }
    return g_socket_check_connect_result(socket_, nullptr) != FALSE ? Progress::Connected
                                                                    : Progress::Failed;
}

std::optional<std::size_t> TcpSocket::write(ByteView bytes) {
    GError *failure = nullptr;
    const auto sent = g_socket_send(socket_, reinterpret_cast<const gchar *>(bytes.data()),
                                    bytes.size(), nullptr, &failure);
    return outcome(sent, failure, 0);
}

std::optional<std::size_t> TcpSocket::write(std::span<const ByteView> parts) {
    std::vector<GOutputVector> vectors;
    vectors.reserve(parts.size());
    for (const auto part : parts) {
        vectors.push_back({part.data(), part.size()});
    }
    GError *failure = nullptr;
    const auto sent =
        g_socket_send_message(socket_, nullptr, vectors.data(), static_cast<gint>(vectors.size()),
                              nullptr, 0, G_SOCKET_MSG_NONE, nullptr, &failure);
    return outcome(sent, failure, 0);
}

std::optional<std::size_t> TcpSocket::read(MutableByteView into) {
    GError *failure = nullptr;
    const auto got = g_socket_receive(socket_, reinterpret_cast<gchar *>(into.data()), into.size(),
                                      nullptr, &failure);
    return outcome(got, failure, std::nullopt);
}

} // namespace thru
