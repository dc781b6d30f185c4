#include "path/candidate_line.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace thru {

namespace {

/// Prefixes of IPv4 addresses behind a router (RFC 1918, 3927, 5735). 172.16.0.0/12 and
/// 100.64.0.0/10 are recognized by their second number instead.
constexpr std::array<std::string_view, 5> kInsidePrefixes{"10.", "127.", "169.254.", "192.168.",
                                                          "0."};
constexpr std::size_t kTransport = 2;
constexpr std::size_t kAddress = 4;
constexpr std::size_t kPort = 5;
constexpr std::size_t kType = 7;
/// RFC 8445 section 5.1.2.1, for the only component. Above the type preference of 100 for addresses
/// from STUN, because a mapped port accepts packets from anywhere.
constexpr std::uint32_t kMappedPriority = (105U << 24U) + (65'535U << 8U) + 255U;

int second_number(std::string_view address) {
    const auto dot = address.find('.');
    int number = 0;
    for (auto at = dot + 1; at < address.size() && address[at] >= '0' && address[at] <= '9'; ++at) {
        number = std::min(number * 10 + (address[at] - '0'), 999);
    }
    return number;
}

} // namespace

std::string_view candidate_field(std::string_view line, std::size_t index) {
    for (; index > 0; --index) {
        const auto space = line.find(' ');
        if (space == std::string_view::npos) {
            return {};
        }
        line.remove_prefix(space + 1);
    }
    return line.substr(0, line.find(' '));
}

std::string_view candidate_address(std::string_view line) {
    return candidate_field(line, kAddress);
}

std::string with_address(std::string_view line, std::string_view address) {
    const auto before = candidate_address(line);
    const auto at = static_cast<std::size_t>(before.data() - line.data());
    return std::string(line).replace(at, before.size(), address);
}

std::string without_related_address(std::string_view line) {
    constexpr std::string_view kRelated = " raddr ";
    const auto related = line.find(kRelated);
    if (related == std::string_view::npos) {
        return std::string(line);
    }
    const bool ipv6 = candidate_field(line, kAddress).find(':') != std::string_view::npos;
    // Only extensions may follow; libnice writes none for UDP.
    return std::string(line.substr(0, related)) + (ipv6 ? " raddr ::" : " raddr 0.0.0.0") +
           " rport 9";
}

bool is_of_internet(std::string_view address) {
    if (address.find(':') != std::string_view::npos) {
        // Global unicast is 2000::/3.
        return address[0] == '2' || address[0] == '3';
    }
    const bool inside = std::ranges::any_of(
        kInsidePrefixes, [&](std::string_view prefix) { return address.starts_with(prefix); });
    const int second = second_number(address);
    const bool private_b = address.starts_with("172.") && second >= 16 && second <= 31;
    const bool carrier = address.starts_with("100.") && second >= 64 && second <= 127;
    return !inside && !private_b && !carrier;
}

std::optional<UdpPort> port_behind_router(std::string_view line) {
    const auto address = candidate_field(line, kAddress);
    const bool is_host =
        candidate_field(line, kType) == "host" && candidate_field(line, kTransport) == "UDP";
    if (!is_host || address.empty() || address.find(':') != std::string_view::npos ||
        is_of_internet(address)) {
        return std::nullopt;
    }
    const auto digits = candidate_field(line, kPort);
    UdpPort found{.address = std::string(address)};
    const auto [end, failure] =
        std::from_chars(digits.data(), digits.data() + digits.size(), found.port);
    if (failure != std::errc{} || end != digits.data() + digits.size() || found.port == 0) {
        return std::nullopt;
    }
    return found;
}

std::string mapped_candidate(const UdpPort &own, const UdpPort &mapped) {
    return "candidate:mapped 1 UDP " + std::to_string(kMappedPriority) + " " + mapped.address +
           " " + std::to_string(mapped.port) + " typ srflx raddr " + own.address + " rport " +
           std::to_string(own.port);
}

} // namespace thru
