#include "names/code_points.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include <utf8proc.h>

#include "base/utf8.h"

namespace thru {

namespace {

bool is_ascii(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string ascii_lower(std::string_view text) {
    std::string lower(text);
    for (char &c : lower) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return lower;
}

/// `options` are UTF8PROC_ flags; results are stable across Unicode versions.
std::string normalised(std::string_view text, unsigned options) {
    utf8proc_uint8_t *raw = nullptr;
    const auto length = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t *>(text.data()),
                                     static_cast<utf8proc_ssize_t>(text.size()), &raw,
                                     static_cast<utf8proc_option_t>(options | UTF8PROC_STABLE));
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(raw, &std::free);
    if (length < 0) { // valid UTF-8 fails only without memory
        throw std::bad_alloc();
    }
    return {reinterpret_cast<const char *>(raw), static_cast<std::size_t>(length)};
}

} // namespace

std::string_view whole_characters(std::string_view text, std::size_t bytes) {
    if (text.size() <= bytes) {
        return text;
    }
    while (bytes > 0 && (static_cast<std::uint8_t>(text[bytes]) & 0xC0) == 0x80) {
        --bytes;
    }
    return text.substr(0, bytes);
}

std::string folded(std::string_view text) {
    if (is_ascii(text)) {
        return ascii_lower(text);
    }
    // Folding handles characters one by one, so marks must be in canonical order first.
    return normalised(normalised(text, UTF8PROC_DECOMPOSE),
                      UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
}

std::string plainly_folded(std::string_view text) {
    if (is_ascii(text)) {
        return ascii_lower(text);
    }
    return normalised(text,
                      UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
}

std::string percent_form(std::string_view name) {
    constexpr std::string_view kHex = "0123456789ABCDEF";
    std::string shown;
    shown.reserve(name.size());
    // The previous character in `shown`.
    char32_t before = 0;
    while (!name.empty()) {
        std::string_view rest = name;
        const auto code_point = take_code_point(rest);
        const std::size_t taken = code_point ? name.size() - rest.size() : 1;
        if (code_point && is_visible(*code_point, before)) {
            shown += name.substr(0, taken);
            before = *code_point;
        } else {
            for (const char byte : name.substr(0, taken)) {
                const auto value = static_cast<std::uint8_t>(byte);
                shown += {'%', kHex[value >> 4], kHex[value & 0x0F]};
            }
            before = static_cast<unsigned char>(shown.back());
        }
        name.remove_prefix(taken);
    }
    return shown;
}

} // namespace thru
