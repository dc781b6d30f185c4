#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "net/on_link.h"

namespace thru {

namespace {

std::span<const std::uint8_t> address_bytes(const sockaddr &address) {
    if (address.sa_family == AF_INET) {
        const auto &v4 = reinterpret_cast<const sockaddr_in &>(address);
        return {reinterpret_cast<const std::uint8_t *>(&v4.sin_addr), sizeof v4.sin_addr};
    }
    const auto &v6 = reinterpret_cast<const sockaddr_in6 &>(address);
    return {reinterpret_cast<const std::uint8_t *>(&v6.sin6_addr), sizeof v6.sin6_addr};
}

bool same_prefix(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b,
                 std::span<const std::uint8_t> mask) {
    for (std::size_t index = 0; index < a.size(); ++index) {
        if (((a[index] ^ b[index]) & mask[index]) != 0) {
            return false;
        }
    }
    return true;
}

using Interfaces = std::unique_ptr<ifaddrs, decltype(&freeifaddrs)>;

/// Null if the system call fails.
Interfaces all_interfaces() {
    ifaddrs *list = nullptr;
    return {getifaddrs(&list) == 0 ? list : nullptr, freeifaddrs};
}

bool is_of(const sockaddr &address, const ifaddrs &entry) {
    return entry.ifa_addr != nullptr && entry.ifa_addr->sa_family == address.sa_family &&
           std::ranges::equal(address_bytes(address), address_bytes(*entry.ifa_addr));
}

bool is_ip(const sockaddr &address) {
    return address.sa_family == AF_INET || address.sa_family == AF_INET6;
}

} // namespace

bool are_on_one_interface(const sockaddr &one, const sockaddr &other, const ifaddrs *interfaces) {
    if (!is_ip(one) || !is_ip(other)) {
        return false;
    }
    for (const auto *each = interfaces; each != nullptr; each = each->ifa_next) {
        for (const auto *mate = is_of(one, *each) ? interfaces : nullptr; mate != nullptr;
             mate = mate->ifa_next) {
            if (is_of(other, *mate) && std::strcmp(mate->ifa_name, each->ifa_name) == 0) {
                return true;
            }
        }
    }
    return false;
}

bool are_on_one_interface(const sockaddr &one, const sockaddr &other) {
    return are_on_one_interface(one, other, all_interfaces().get());
}

bool is_on_link(const sockaddr &address, const ifaddrs *interfaces) {
    if (!is_ip(address)) {
        return false;
    }
    const auto wanted = address_bytes(address);
    for (const auto *each = interfaces; each != nullptr; each = each->ifa_next) {
        if (each->ifa_addr == nullptr || each->ifa_netmask == nullptr ||
            each->ifa_addr->sa_family != address.sa_family) {
            continue;
        }
        const auto own = address_bytes(*each->ifa_addr);
        if (std::ranges::equal(wanted, own)) {
            return true;
        }
        if ((each->ifa_flags & IFF_POINTOPOINT) != 0) {
            continue;
        }
        if (same_prefix(wanted, own, address_bytes(*each->ifa_netmask))) {
            return true;
        }
        // Linux also sets this for a peer address on a broadcast link (`ip address add A peer B`).
        const auto *other_end = each->ifa_dstaddr;
        if (other_end != nullptr && other_end->sa_family == address.sa_family &&
            std::ranges::equal(wanted, address_bytes(*other_end))) {
            return true;
        }
    }
    return false;
}

bool is_on_link(const sockaddr &address) { return is_on_link(address, all_interfaces().get()); }

} // namespace thru
