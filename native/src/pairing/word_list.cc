#include "pairing/word_list.h"

#include <algorithm>
#include <array>

namespace thru {

namespace {

constexpr auto kWords = std::to_array<std::string_view>({
#include "word_list.inc"
});

static_assert(std::ranges::is_sorted(kWords));

} // namespace

std::span<const std::string_view> word_list() { return kWords; }

bool is_listed_word(std::string_view word) { return std::ranges::binary_search(kWords, word); }

} // namespace thru
