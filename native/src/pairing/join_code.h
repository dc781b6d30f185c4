// Join codes: `4821-apple-river-stone`, a nameplate and three words of the word list.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace thru {

struct JoinCode {
    /// Four to six digits, public.
    std::string nameplate;
    /// Three words with hyphens, secret.
    std::string words;
};

/// Four to six digits, not beginning with 0.
bool is_nameplate(std::string_view text);

/// Accepts the normal form only (lower case, hyphens). BadCode names the first wrong word.
Result<JoinCode> parse_join_code(std::string_view text);

/// Three random words, with hyphens.
std::string random_words();

} // namespace thru
