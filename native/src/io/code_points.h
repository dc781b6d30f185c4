// Names on disk, character by character.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace thru {

/// Takes the first code point off `text`; nullopt, and nothing taken, when it is not well-formed
/// UTF-8 (overlong forms and surrogates are not) or `text` is empty.
std::optional<char32_t> take_code_point(std::string_view &text);

/// The longest beginning of at most `bytes` that does not cut a character of a UTF-8 text.
std::string_view whole_characters(std::string_view text, std::size_t bytes);

/// The same for all names that a file system may take for one: case folded, composed (NFC), without
/// characters that stand for nothing (Unicode 3.13 D145, and default ignorables as HFS+ has it).
/// `text` is UTF-8.
std::string folded(std::string_view text);

/// As folded(), and characters that only look different become their plain ones (NFKC): full-width
/// letters, superscripts. What systems do at most when they look for a special name.
std::string plainly_folded(std::string_view text);

/// For showing a name that may be anything: bytes that are no text appear as \xHH.
std::string printable(std::string_view name);

} // namespace thru
