#include "net/udp_socket.h"

#include <utility>

// Each system declares addresses in its own header.
#include <gio/gnetworking.h>

namespace thru {

std::unique_ptr<UdpSocket> UdpSocket::open(const std::string &host, int buffer_bytes) {
    const std::unique_ptr<GSocketAddress, ObjectDeleter> address(
        g_inet_socket_address_new_from_string(host.c_str(), 0));
    if (!address) {
        return nullptr;
    }
    Pointer socket(g_socket_new(g_socket_address_get_family(address.get()), G_SOCKET_TYPE_DATAGRAM,
                                G_SOCKET_PROTOCOL_UDP, nullptr));
    if (!socket) {
        return nullptr;
    }
    g_socket_set_blocking(socket.get(), FALSE);
    if (g_socket_bind(socket.get(), address.get(), FALSE, nullptr) == FALSE) {
        return nullptr;
    }
    prepare_socket(g_socket_get_fd(socket.get()), buffer_bytes);
    set_receive_batching(g_socket_get_fd(socket.get()), true);
    return std::unique_ptr<UdpSocket>(new UdpSocket(std::move(socket)));
}

UdpSocket::UdpSocket(Pointer socket)
    : socket_(std::move(socket)), batch_{.descriptor = g_socket_get_fd(socket_.get())} {}

std::uint16_t UdpSocket::port() const {
    const std::unique_ptr<GSocketAddress, ObjectDeleter> address(
        g_socket_get_local_address(socket_.get(), nullptr));
    return address ? g_inet_socket_address_get_port(G_INET_SOCKET_ADDRESS(address.get())) : 0;
}

Address UdpSocket::local() const {
    const std::unique_ptr<GSocketAddress, ObjectDeleter> address(
        g_socket_get_local_address(socket_.get(), nullptr));
    sockaddr_storage native{};
    const bool known = address && g_socket_address_to_native(address.get(), &native, sizeof native,
                                                             nullptr) != FALSE;
    return known ? Address(reinterpret_cast<const sockaddr &>(native)) : Address();
}

std::string text_of(const Address &address) {
    // GLib only reads the address; its function takes no const.
    const std::unique_ptr<GSocketAddress, ObjectDeleter> converted(
        g_socket_address_new_from_native(const_cast<sockaddr *>(address.get()), address.size()));
    gchar *text =
        converted ? g_socket_connectable_to_string(G_SOCKET_CONNECTABLE(converted.get())) : nullptr;
    std::string copy = text != nullptr ? text : "";
    g_free(text);
    return copy;
}

} // namespace thru
