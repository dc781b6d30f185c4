// Whether another computer is on a network that this one is attached to, and to which one.
#pragma once

struct ifaddrs;
struct sockaddr;

namespace thru {

/// True when `address` lies in the prefix of a local interface, or is this computer itself: packets
/// reach it without a router. False on interfaces that lead to one other end alone, as those of
/// VPNs, tunnels and modems: they look like a network, and a long way may lie behind them.
bool is_on_link(const sockaddr &address);

/// Both are addresses of this computer, whatever their ports, and one interface has them.
bool are_on_one_interface(const sockaddr &one, const sockaddr &other);

/// The same on POSIX systems, among these interfaces.
bool is_on_link(const sockaddr &address, const ifaddrs *interfaces);
bool are_on_one_interface(const sockaddr &one, const sockaddr &other, const ifaddrs *interfaces);

} // namespace thru
