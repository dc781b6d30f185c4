// Names on disk, character by character.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace thru {

/// The longest beginning of at most `bytes` that does not cut a character of a UTF-8 text.
std::string_view whole_characters(std::string_view text, std::size_t bytes);

/// The same for all names that a file system may take for one: case folded, composed (NFC), without
/// characters that stand for nothing (Unicode 3.13 D145, and default ignorables as HFS+ has it).
/// `text` is UTF-8.
std::string folded(std::string_view text);

/// As folded(), and characters that only look different become their plain ones (NFKC): full-width
/// letters, superscripts. What systems do at most when they look for a special name.
std::string plainly_folded(std::string_view text);

/// A name that may be any bytes, as visible text: each byte that is not UTF-8, and each of a
/// character that is not is_visible(), becomes `%HH`. Itself when there are none.
std::string percent_form(std::string_view name);

} // namespace thru
