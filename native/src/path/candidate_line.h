// What the engine itself reads of ICE candidates, which are SDP lines (RFC 8839 section 5.1).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace thru {

/// A port of UDP at a literal address of IPv4.
struct UdpPort {
    std::string address;
    std::uint16_t port = 0;
    auto operator<=>(const UdpPort &) const = default;
};

/// The field with this number of a line, from 0; empty when there are fewer.
std::string_view candidate_field(std::string_view line, std::size_t index);

/// The address of a candidate, or the name that stands in its place.
std::string_view candidate_address(std::string_view line);

/// `line` with another text in place of its address.
std::string with_address(std::string_view line, std::string_view address);

/// The line with an unspecified related address, as of who tells none (RFC 8839 section 5.1): that
/// of a relayed candidate is an address of this computer.
std::string without_related_address(std::string_view line);

/// Whether a literal address can be reached from the internet.
bool is_of_internet(std::string_view address);

/// The port of a host candidate that others can only reach when a router maps it: over IPv4, from
/// an address of a home's network. nullopt for all other candidates.
std::optional<UdpPort> port_behind_router(std::string_view line);

/// The server-reflexive candidate of `own`, which a router has mapped to `mapped`.
std::string mapped_candidate(const UdpPort &own, const UdpPort &mapped);

} // namespace thru
