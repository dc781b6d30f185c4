// Whether another computer is on a network that this one is attached to.
#pragma once

struct ifaddrs;
struct sockaddr;

namespace thru {

/// True when `address` lies in the prefix of a local interface, or is this computer itself: packets
/// reach it without a router. False on interfaces that lead to one other end alone, as those of
/// VPNs, tunnels and modems: they look like a network, and a long way may lie behind them.
bool is_on_link(const sockaddr &address);

/// The same on POSIX systems, among these interfaces.
bool is_on_link(const sockaddr &address, const ifaddrs *interfaces);

} // namespace thru
