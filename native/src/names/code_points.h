#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace thru {

/// The longest prefix of at most `bytes` that does not split a character of a UTF-8 text.
std::string_view whole_characters(std::string_view text, std::size_t bytes);

/// Equal for all UTF-8 names that a file system may treat as the same: case folded, composed (NFC)
/// and without ignorable characters. Follows Unicode 3.13 D145, and HFS+ for default ignorables.
std::string folded(std::string_view text);

/// Like folded(), but also makes compatibility characters such as full-width letters plain (NFKC).
/// No system compares special names more loosely.
std::string plainly_folded(std::string_view text);

/// Makes a name of any bytes visible: each byte that is not UTF-8, or belongs to a character that
/// is not is_visible(), becomes `%HH`. Other names are unchanged.
std::string percent_form(std::string_view name);

} // namespace thru
