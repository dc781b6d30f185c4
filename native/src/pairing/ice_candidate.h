// Checks received ICE candidates before a library sees them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thru {

inline constexpr std::size_t kMaxCandidateBytes = 512;

enum class CandidateCheck : std::uint8_t {
    Usable,
    /// A UDP host candidate with an mDNS name as its address: a version 4 UUID before `.local`
    /// (draft-ietf-mmusic-mdns-ice-candidates, section 3.1).
    Named,
    /// Well-formed, but useless or unsafe: other host names; unspecified, multicast and broadcast
    /// addresses; ports below 1024 (except 9 with TCP); unknown transports and types. Loopback is
    /// usable, because both sides may run on one machine.
    Ignored,
    Malformed,
};

/// Checks a candidate line (RFC 8839, section 5.1, without `a=`). It is printable ASCII of at most
/// kMaxCandidateBytes, with single spaces between fields and extensions as pairs of name and value.
CandidateCheck check_candidate(std::string_view line);

} // namespace thru
