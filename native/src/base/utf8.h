// UTF-8 (RFC 3629) as peers and file systems send it: checked before it is used or shown.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace thru {

/// Names that peers show each other, in UTF-8 bytes; the same as limits.peerNameBytes in shared/.
inline constexpr std::size_t kMaxPeerNameBytes = 64;

/// True for well-formed UTF-8: no overlong forms, no surrogates, nothing beyond U+10FFFF.
bool is_utf8(std::string_view text);

/// Takes the first code point off `text`; nullopt, and nothing taken, when it is not well-formed
/// UTF-8 (overlong forms and surrogates are not) or `text` is empty.
std::optional<char32_t> take_code_point(std::string_view &text);

/// Whether people see what stands there. Not so with controls, with what changes the direction or
/// the lines of a text, and with what leaves no mark (Unicode's default ignorable characters and
/// the braille blank): with these a name can look like another one or hide its end. Joiners and
/// variation selectors are seen by what they do to `before`, which is the character in front, 0 at
/// the beginning: emoji and many scripts need them. The same as `visibleText` of shared/.
bool is_visible(char32_t code_point, char32_t before);

/// True for a name that a peer may have: UTF-8 of at most kMaxPeerNameBytes in which every
/// character is_visible. May be empty.
bool is_peer_name(std::string_view name);

/// The nearest name for which is_peer_name holds: what is not allowed is left out, and what is too
/// long is cut between characters.
std::string to_peer_name(std::string_view text);

} // namespace thru
