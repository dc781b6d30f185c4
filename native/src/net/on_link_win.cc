#include <cstring>
#include <memory>

#include <winsock2.h>
#include <ws2tcpip.h>

#include <iphlpapi.h>

#include "net/on_link.h"

namespace thru {

namespace {

/// True for VPNs, tunnels and modems. VPN drivers such as WireGuard report a proprietary type.
bool leads_to_one_end(const NET_LUID &interface_luid) {
    MIB_IF_ROW2 row{};
    row.InterfaceLuid = interface_luid;
    if (GetIfEntry2(&row) != NO_ERROR) {
        return false;
    }
    return row.AccessType == NET_IF_ACCESS_POINT_TO_POINT || row.Type == IF_TYPE_PPP ||
           row.Type == IF_TYPE_TUNNEL || row.Type == IF_TYPE_PROP_VIRTUAL;
}

bool same_host(const sockaddr &address, const SOCKADDR_INET &other) {
    if (address.sa_family != other.si_family) {
        return false;
    }
    if (address.sa_family == AF_INET) {
        return reinterpret_cast<const sockaddr_in &>(address).sin_addr.s_addr ==
               other.Ipv4.sin_addr.s_addr;
    }
    return std::memcmp(&reinterpret_cast<const sockaddr_in6 &>(address).sin6_addr,
                       &other.Ipv6.sin6_addr, sizeof other.Ipv6.sin6_addr) == 0;
}

/// Returns 0 if no interface has the address.
ULONG64 interface_of(const sockaddr &address, const MIB_UNICASTIPADDRESS_TABLE &table) {
    for (ULONG each = 0; each < table.NumEntries; ++each) {
        const auto &row = table.Table[each];
        if (same_host(address, row.Address)) {
            return row.InterfaceLuid.Value;
        }
    }
    return 0;
}

} // namespace

bool are_on_one_interface(const sockaddr &one, const sockaddr &other) {
    MIB_UNICASTIPADDRESS_TABLE *table = nullptr;
    if (GetUnicastIpAddressTable(AF_UNSPEC, &table) != NO_ERROR) {
        return false;
    }
    const std::unique_ptr<MIB_UNICASTIPADDRESS_TABLE, decltype(&FreeMibTable)> owner(table,
                                                                                     FreeMibTable);
    const auto found = interface_of(one, *table);
    return found != 0 && found == interface_of(other, *table);
}

bool is_on_link(const sockaddr &address) {
    // The route's next hop is unspecified if and only if no router is in between.
    SOCKADDR_INET destination{};
    std::memcpy(&destination, &address,
                address.sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6));
    MIB_IPFORWARD_ROW2 route{};
    SOCKADDR_INET source{};
    if (GetBestRoute2(nullptr, 0, nullptr, &destination, 0, &route, &source) != NO_ERROR) {
        return false;
    }
    if (leads_to_one_end(route.InterfaceLuid)) {
        return false;
    }
    if (address.sa_family == AF_INET) {
        return route.NextHop.Ipv4.sin_addr.s_addr == 0;
    }
    const in6_addr none{};
    return std::memcmp(&route.NextHop.Ipv6.sin6_addr, &none, sizeof none) == 0;
}

} // namespace thru
