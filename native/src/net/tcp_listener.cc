#include "net/tcp_listener.h"

namespace thru {

std::unique_ptr<TcpListener> TcpListener::open(const std::string &host) {
    auto *address = g_inet_socket_address_new_from_string(host.c_str(), 0);
    if (address == nullptr) {
        return nullptr;
    }
    std::unique_ptr<TcpListener> opened;
    auto *socket = g_socket_new(g_socket_address_get_family(address), G_SOCKET_TYPE_STREAM,
                                G_SOCKET_PROTOCOL_TCP, nullptr);
    if (socket != nullptr) {
        opened.reset(new TcpListener(socket));
        g_socket_set_blocking(socket, FALSE);
        if (g_socket_bind(socket, address, FALSE, nullptr) == FALSE ||
            g_socket_listen(socket, nullptr) == FALSE) {
            opened.reset();
        }
    }
    g_object_unref(address);
    return opened;
}

TcpListener::~TcpListener() { g_object_unref(socket_); }

std::uint16_t TcpListener::port() const {
    auto *address = g_socket_get_local_address(socket_, nullptr);
    if (address == nullptr) {
        return 0;
    }
    const auto port = g_inet_socket_address_get_port(G_INET_SOCKET_ADDRESS(address));
    g_object_unref(address);
    return port;
}

int TcpListener::descriptor() const { return g_socket_get_fd(socket_); }

std::unique_ptr<TcpSocket> TcpListener::accept() {
    GError *failure = nullptr;
    auto *accepted = g_socket_accept(socket_, nullptr, &failure);
    if (accepted != nullptr) {
        return std::make_unique<TcpSocket>(accepted);
    }
    // Windows reports connections that were closed before they were accepted.
    broken_ = g_error_matches(failure, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK) == FALSE &&
              g_error_matches(failure, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED) == FALSE;
    g_clear_error(&failure);
    return nullptr;
}

} // namespace thru
