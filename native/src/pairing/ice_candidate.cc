#include "pairing/ice_candidate.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <vector>

#ifdef _WIN32
#include <ws2tcpip.h>
#else
#include <arpa/inet.h>
#endif

namespace thru {

namespace {

constexpr std::string_view kPrefix = "candidate:";
/// foundation component transport priority address port "typ" type
constexpr std::size_t kFixedFields = 8;
constexpr std::size_t kMaxFoundationBytes = 32;

std::vector<std::string_view> fields_of(std::string_view text) {
    std::vector<std::string_view> fields;
    while (true) {
        const auto space = text.find(' ');
        fields.push_back(text.substr(0, space));
        if (space == std::string_view::npos) {
            return fields;
        }
        text.remove_prefix(space + 1);
    }
}

std::optional<std::uint32_t> number(std::string_view text, std::uint32_t least,
                                    std::uint32_t most) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_number = error == std::errc{} && end == text.data() + text.size();
    return is_number && value >= least && value <= most ? std::optional{value} : std::nullopt;
}

/// False for 0.0.0.0/8 (this network), 224.0.0.0/4 (multicast), 240.0.0.0/4 (reserved).
bool is_ipv4_of_one_computer(std::uint8_t first_byte) { return first_byte > 0 && first_byte < 224; }

bool is_address_of_one_computer(const std::string &address) {
    std::array<std::uint8_t, 4> v4{};
    if (inet_pton(AF_INET, address.c_str(), v4.data()) == 1) {
        return is_ipv4_of_one_computer(v4[0]);
    }
    std::array<std::uint8_t, 16> v6{};
    if (inet_pton(AF_INET6, address.c_str(), v6.data()) != 1) {
        return false;
    }
    constexpr std::array<std::uint8_t, 12> kMapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    const bool mapped = std::ranges::equal(kMapped, std::span{v6}.first(kMapped.size()));
    const bool unspecified = std::ranges::count(v6, 0) == std::ssize(v6);
    const bool multicast = v6[0] == 0xff;
    return !unspecified && !multicast && (!mapped || is_ipv4_of_one_computer(v6[12]));
}

bool is_udp(std::string_view transport) { return transport == "UDP" || transport == "udp"; }
bool is_tcp(std::string_view transport) { return transport == "TCP" || transport == "tcp"; }

/// Lower ports belong to services, which no peer may make us contact. Port 9 marks an active TCP
/// candidate (RFC 6544, section 4.5), which is never connected to.
bool is_port_of_a_peer(std::uint32_t port, std::string_view transport) {
    constexpr std::uint32_t kFirstPort = 1024;
    constexpr std::uint32_t kActivePort = 9;
    return port >= kFirstPort || (is_tcp(transport) && port == kActivePort);
}

/// A version 4 UUID (RFC 9562, section 5.4) as text, before `.local`. Other mDNS names belong to
/// printers and other devices, which no peer may make us look up.
bool is_candidate_name(std::string_view name) {
    constexpr std::string_view kForm = "xxxxxxxx-xxxx-4xxx-vxxx-xxxxxxxxxxxx.local";
    constexpr std::string_view kDigits = "0123456789abcdef";
    constexpr std::string_view kVariants = "89ab";
    return std::ranges::equal(name, kForm, [&](char written, char meant) {
        const bool is_upper = written >= 'A' && written <= 'Z';
        const char c = is_upper ? static_cast<char>(written - 'A' + 'a') : written;
        return meant == 'x'   ? kDigits.contains(c)
               : meant == 'v' ? kVariants.contains(c)
                              : c == meant;
    });
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, text) != names.end();
}

/// True for a character that a foundation may have.
bool is_ice_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '/';
}

} // namespace

CandidateCheck check_candidate(std::string_view line) {
    const bool printable = std::ranges::all_of(line, [](char c) { return c >= ' ' && c <= '~'; });
    if (line.size() > kMaxCandidateBytes || !printable || !line.starts_with(kPrefix)) {
        return CandidateCheck::Malformed;
    }
    const auto fields = fields_of(line.substr(kPrefix.size()));
    const bool empty_field =
        std::ranges::any_of(fields, [](std::string_view field) { return field.empty(); });
    if (fields.size() < kFixedFields || fields.size() % 2 != 0 || empty_field) {
        return CandidateCheck::Malformed;
    }
    const auto port = number(fields[5], 0, 65535);
    if (fields[0].size() > kMaxFoundationBytes || !std::ranges::all_of(fields[0], is_ice_char) ||
        !number(fields[1], 1, 256) || !number(fields[3], 1, 0x7fffffff) || !port ||
        fields[6] != "typ") {
        return CandidateCheck::Malformed;
    }
    const auto transport = fields[2];
    const bool known = (is_udp(transport) || is_tcp(transport)) &&
                       is_port_of_a_peer(*port, transport) &&
                       is_one_of(fields[7], {"host", "srflx", "prflx", "relay"});
    if (known && is_address_of_one_computer(std::string{fields[4]})) {
        return CandidateCheck::Usable;
    }
    const bool named =
        known && is_udp(transport) && fields[7] == "host" && is_candidate_name(fields[4]);
    return named ? CandidateCheck::Named : CandidateCheck::Ignored;
}

} // namespace thru
