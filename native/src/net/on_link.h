#pragma once

struct ifaddrs;
struct sockaddr;

namespace thru {

/// True if `address` is in the prefix of a local interface, or is this computer's own: packets
/// reach it without a router. False for point-to-point interfaces such as VPNs, tunnels and modems:
/// they look like a network, but a long path may lie behind them.
bool is_on_link(const sockaddr &address);

/// True if both are addresses of this computer, on one interface; ports don't matter.
bool are_on_one_interface(const sockaddr &one, const sockaddr &other);

/// The same checks against the given interfaces, on POSIX systems.
bool is_on_link(const sockaddr &address, const ifaddrs *interfaces);
bool are_on_one_interface(const sockaddr &one, const sockaddr &other, const ifaddrs *interfaces);

} // namespace thru
