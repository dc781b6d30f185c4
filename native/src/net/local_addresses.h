// The addresses that this computer has, and which of those of others are certainly none of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

struct sockaddr;

namespace thru {

/// Of interfaces that are up and connected, each as the bytes of its family and of itself; sorted.
std::vector<std::string> local_addresses();

/// In the same form; empty for what is no address of IPv4 or IPv6.
std::string address_key(const sockaddr &address);

/// Of a literal address: it can mean the same computer elsewhere. The loopback, no address at all,
/// and what says nothing without an interface (fe80::/10) do not, however they are written.
bool is_known_elsewhere(const std::string &host);

/// Another computer may have this one connect there: not at a port below 1024, where services are,
/// nor at an address that is this computer's own, where services trust who asks.
bool may_be_called(const std::string &host, std::uint16_t port);

} // namespace thru
