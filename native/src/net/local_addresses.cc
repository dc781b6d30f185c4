#include "net/local_addresses.h"

#include <algorithm>
#include <array>
#include <memory>
#include <span>

#include "net/gio.h"

// Each system declares addresses in its own header.
#include <gio/gnetworking.h>

namespace thru {

namespace {

constexpr std::uint16_t kFirstPortOfAPeer = 1024;
/// IPv4-mapped IPv6 addresses (RFC 4291 section 2.5.5.2), which the system treats as IPv4.
constexpr std::array<std::uint8_t, 12> kMappedPrefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

using InetAddress = std::unique_ptr<GInetAddress, ObjectDeleter>;

/// Null if `host` is not a literal address.
InetAddress parsed(const std::string &host) {
    InetAddress address(g_inet_address_new_from_string(host.c_str()));
    if (!address || g_inet_address_get_family(address.get()) == G_SOCKET_FAMILY_IPV4) {
        return address;
    }
    const std::span bytes(g_inet_address_to_bytes(address.get()),
                          g_inet_address_get_native_size(address.get()));
    if (std::ranges::equal(bytes.first(kMappedPrefix.size()), kMappedPrefix)) {
        address.reset(g_inet_address_new_from_bytes(bytes.subspan(kMappedPrefix.size()).data(),
                                                    G_SOCKET_FAMILY_IPV4));
    }
    return address;
}

bool is_known_elsewhere(GInetAddress *address) {
    const bool needs_interface = g_inet_address_get_family(address) == G_SOCKET_FAMILY_IPV6 &&
                                 g_inet_address_get_is_link_local(address) != FALSE;
    return g_inet_address_get_is_loopback(address) == FALSE &&
           g_inet_address_get_is_any(address) == FALSE && !needs_interface;
}

bool is_own(GInetAddress *address) {
    std::unique_ptr<GSocketAddress, ObjectDeleter> place(g_inet_socket_address_new(address, 0));
    sockaddr_storage native{};
    return g_socket_address_to_native(place.get(), &native, sizeof native, nullptr) == FALSE ||
           std::ranges::binary_search(local_addresses(),
                                      address_key(reinterpret_cast<const sockaddr &>(native)));
}

} // namespace

std::string address_key(const sockaddr &address) {
    const auto key = [](char family, const auto &bytes) {
        return family + std::string(reinterpret_cast<const char *>(&bytes), sizeof bytes);
    };
    switch (address.sa_family) {
    case AF_INET:
        return key('4', reinterpret_cast<const sockaddr_in &>(address).sin_addr);
    case AF_INET6:
        return key('6', reinterpret_cast<const sockaddr_in6 &>(address).sin6_addr);
    default:
        return {};
    }
}

bool is_known_elsewhere(const std::string &host) {
    const auto address = parsed(host);
    return address && is_known_elsewhere(address.get());
}

bool may_be_called(const std::string &host, std::uint16_t port) {
    const auto address = parsed(host);
    return port >= kFirstPortOfAPeer && address && is_known_elsewhere(address.get()) &&
           !is_own(address.get());
}

} // namespace thru
