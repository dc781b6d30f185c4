// ICE candidates as they come from outside: looked at before a library sees them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thru {

inline constexpr std::size_t kMaxCandidateBytes = 512;

enum class CandidateCheck : std::uint8_t {
    Usable,
    /// A host candidate of UDP whose address stands behind a name of mDNS: a version 4 UUID before
    /// `.local` (draft-ietf-mmusic-mdns-ice-candidates, section 3.1).
    Named,
    /// In order, but of no use to us or to be left alone: other host names, unspecified, multicast
    /// and broadcast addresses, ports below 1024 (but 9 with TCP), unknown transports and types.
    /// Loopback is usable: both windows may be on one machine.
    Ignored,
    Malformed,
};

/// Looks at a candidate line (RFC 8839, section 5.1, without `a=`): printable ASCII, at most
/// kMaxCandidateBytes, single spaces between fields, extensions in pairs of name and value.
CandidateCheck check_candidate(std::string_view line);

} // namespace thru
