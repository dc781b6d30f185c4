// UTF-8 (RFC 3629) as peers and file systems send it: checked before it is used or shown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace thru {

/// Names that peers show each other, in UTF-8 bytes; the same as limits.peerNameBytes in shared/.
inline constexpr std::size_t kMaxPeerNameBytes = 64;

/// True for well-formed UTF-8: no overlong forms, no surrogates, nothing beyond U+10FFFF.
bool is_utf8(std::string_view text);

/// True for a name that a peer may show: UTF-8 of at most kMaxPeerNameBytes without control
/// characters (Unicode's class Cc). May be empty.
bool is_peer_name(std::string_view name);

/// The nearest name for which is_peer_name holds: what is not allowed is left out, and what is too
/// long is cut between characters.
std::string to_peer_name(std::string_view text);

} // namespace thru
