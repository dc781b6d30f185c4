#include <cstring>
#include <memory>
#include <vector>

#include <winsock2.h>
#include <ws2tcpip.h>

#include <iphlpapi.h>

#include "path/on_link.h"

namespace thru {

namespace {

/// VPNs, tunnels and modems. Drivers of VPNs (Wintun, WireGuard, OpenVPN's) say that their type is
/// their own.
bool leads_to_one_end(const NET_LUID &interface_luid) {
    MIB_IF_ROW2 row{};
    row.InterfaceLuid = interface_luid;
    if (GetIfEntry2(&row) != NO_ERROR) {
        return false;
    }
    return row.AccessType == NET_IF_ACCESS_POINT_TO_POINT || row.Type == IF_TYPE_PPP ||
           row.Type == IF_TYPE_TUNNEL || row.Type == IF_TYPE_PROP_VIRTUAL;
}

} // namespace

bool is_on_link(const sockaddr &address) {
    // The route's next hop is the unspecified address exactly when no router is in between.
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
