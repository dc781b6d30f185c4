// The addresses of this computer, and checks of other computers' addresses against them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

struct sockaddr;

namespace thru {

/// Addresses of interfaces that are up and connected, each as family and address bytes; sorted.
std::vector<std::string> local_addresses();

/// An address in the same form; empty if it is neither IPv4 nor IPv6.
std::string address_key(const sockaddr &address);

/// True for a literal address that other computers can also use. The loopback, the unspecified
/// address and link-local addresses of IPv6 (fe80::/10) can't be used, in any notation.
bool is_known_elsewhere(const std::string &host);

/// True if another computer may make this one connect there. Ports below 1024 belong to services,
/// and services trust connections from the computer's own addresses.
bool may_be_called(const std::string &host, std::uint16_t port);

} // namespace thru
