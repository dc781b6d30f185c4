// UTF-8 (RFC 3629) from peers and file systems, checked before it is used or shown.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace thru {

/// Maximum length of a peer's name in UTF-8 bytes; the same as limits.peerNameBytes in shared/.
inline constexpr std::size_t kMaxPeerNameBytes = 64;

/// True for well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text);

/// Takes the first code point off `text`. Returns nullopt and takes nothing if `text` is empty or
/// begins with malformed UTF-8 (overlong forms and surrogates included).
std::optional<char32_t> take_code_point(std::string_view &text);

/// True if people can see the character. False for controls, for characters that change the
/// direction or the lines of a text, and for invisible ones (Unicode's default ignorable characters
/// and the braille blank). These can disguise a name or hide its end. Joiners and variation
/// selectors, which emoji and many scripts need, are visible by their effect on `before`, the
/// preceding character (0 at the beginning). The same as `visibleText` in shared/.
bool is_visible(char32_t code_point, char32_t before);

/// True for a valid peer name: UTF-8 of at most kMaxPeerNameBytes, all is_visible; may be empty.
bool is_peer_name(std::string_view name);

/// The nearest valid peer name: without invisible characters, and cut between characters if long.
std::string to_peer_name(std::string_view text);

} // namespace thru
