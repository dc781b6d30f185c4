// Names on disk, character by character.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace thru {

/// Takes the first code point off `text`; nullopt, and nothing taken, when it is not well-formed
/// UTF-8 (overlong forms and surrogates are not) or `text` is empty.
std::optional<char32_t> take_code_point(std::string_view &text);

/// For showing a name that may be anything: bytes that are no text appear as \xHH.
std::string printable(std::string_view name);

} // namespace thru
