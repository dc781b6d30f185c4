// Reads and writes ICE candidates, which are SDP lines (RFC 8839 section 5.1).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace thru {

/// A UDP port at a literal IPv4 address.
struct UdpPort {
    std::string address;
    std::uint16_t port = 0;
    auto operator<=>(const UdpPort &) const = default;
};

/// The field at this index of a line; empty if there are fewer.
std::string_view candidate_field(std::string_view line, std::size_t index);

/// The address of a candidate, or the name in its place.
std::string_view candidate_address(std::string_view line);

std::string with_address(std::string_view line, std::string_view address);

/// The line with an unspecified related address (RFC 8839 section 5.1): the related address of a
/// relayed candidate would reveal an address of this computer.
std::string without_related_address(std::string_view line);

/// True if a literal address is reachable from the internet.
bool is_of_internet(std::string_view address);

/// The port of a host candidate that needs a router's mapping to be reachable: IPv4, from a home
/// network's address. nullopt for all other candidates.
std::optional<UdpPort> port_behind_router(std::string_view line);

/// The server-reflexive candidate for `own`, which a router has mapped to `mapped`.
std::string mapped_candidate(const UdpPort &own, const UdpPort &mapped);

} // namespace thru
