#include "pairing/join_code.h"

#include <algorithm>
#include <cstddef>

#include "crypto/random.h"
#include "pairing/word_list.h"

namespace thru {

namespace {

constexpr std::size_t kWordsPerCode = 3;
constexpr std::size_t kMinNameplateDigits = 4;
constexpr std::size_t kMaxNameplateDigits = 6;

} // namespace

bool is_nameplate(std::string_view text) {
    return text.size() >= kMinNameplateDigits && text.size() <= kMaxNameplateDigits &&
           text.front() != '0' &&
           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

Result<JoinCode> parse_join_code(std::string_view text) {
    const auto hyphen = text.find('-');
    const auto nameplate = text.substr(0, hyphen);
    if (!is_nameplate(nameplate) || hyphen == std::string_view::npos) {
        return fail(ErrorCode::BadCode, 0, "a code begins with a number of 4 to 6 digits");
    }
    const auto words = text.substr(hyphen + 1);
    auto rest = words;
    for (std::size_t count = 1;; ++count) {
        const auto end = rest.find('-');
        const auto word = rest.substr(0, end);
        if (!is_listed_word(word)) {
            return fail(ErrorCode::BadCode, static_cast<std::int64_t>(count), std::string{word});
        }
        const bool last = end == std::string_view::npos;
        if (last && count == kWordsPerCode) {
            return JoinCode{std::string{nameplate}, std::string{words}};
        }
        if (last || count == kWordsPerCode) {
            return fail(ErrorCode::BadCode, 0, "a code has three words");
        }
        rest.remove_prefix(end + 1);
    }
}

std::string random_words() {
    const auto words = word_list();
    std::string text;
    for (std::size_t count = 0; count < kWordsPerCode; ++count) {
        text += count > 0 ? "-" : "";
        text += words[random_below(static_cast<std::uint32_t>(words.size()))];
    }
    return text;
}

} // namespace thru
