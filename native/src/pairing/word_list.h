// The words of join codes: resources/wordlist.txt, compiled in.
#pragma once

#include <span>
#include <string_view>

namespace thru {

/// Sorted alphabetically; each has 3 to 10 letters a-z, and no two begin with the same three.
std::span<const std::string_view> word_list();

bool is_listed_word(std::string_view word);

} // namespace thru
