#include "io/code_points.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include <utf8proc.h>

namespace thru {

namespace {

struct Form {
    std::size_t length;
    char32_t lead_bits;
    /// Smallest code point that needs this many bytes.
    char32_t smallest;
};

std::optional<Form> form_of(std::uint8_t lead) {
    if (lead < 0x80) {
        return Form{1, lead, 0};
    }
    if (lead >= 0xC2 && lead < 0xE0) {
        return Form{2, lead & 0x1Fu, 0x80};
    }
    if (lead >= 0xE0 && lead < 0xF0) {
        return Form{3, lead & 0x0Fu, 0x800};
    }
    if (lead >= 0xF0 && lead < 0xF5) {
        return Form{4, lead & 0x07u, 0x10000};
    }
    return std::nullopt;
}

bool is_printable(char32_t code_point) {
    return code_point >= 0x20 && code_point != 0x7F && (code_point < 0x80 || code_point >= 0xA0);
}

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

/// `options` are UTF8PROC_ flags; all of them keep to what later versions of Unicode keep.
std::string normalised(std::string_view text, unsigned options) {
    utf8proc_uint8_t *raw = nullptr;
    const auto length = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t *>(text.data()),
                                     static_cast<utf8proc_ssize_t>(text.size()), &raw,
                                     static_cast<utf8proc_option_t>(options | UTF8PROC_STABLE));
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(raw, &std::free);
    if (length < 0) { // of UTF-8 only for want of memory
        throw std::bad_alloc();
    }
    return {reinterpret_cast<const char *>(raw), static_cast<std::size_t>(length)};
}

} // namespace

std::optional<char32_t> take_code_point(std::string_view &text) {
    if (text.empty()) {
        return std::nullopt;
    }
    const auto form = form_of(static_cast<std::uint8_t>(text[0]));
    if (!form || form->length > text.size()) {
        return std::nullopt;
    }
    char32_t code_point = form->lead_bits;
    for (std::size_t at = 1; at < form->length; ++at) {
        const auto next = static_cast<std::uint8_t>(text[at]);
        if ((next & 0xC0) != 0x80) {
            return std::nullopt;
        }
        code_point = code_point << 6 | (next & 0x3Fu);
    }
    const bool surrogate = code_point >= 0xD800 && code_point < 0xE000;
    if (code_point < form->smallest || code_point > 0x10FFFF || surrogate) {
        return std::nullopt;
    }
    text.remove_prefix(form->length);
    return code_point;
}

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
    // Folding looks at one character after another: marks have to be in their order before.
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

std::string printable(std::string_view name) {
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string shown;
    shown.reserve(name.size());
    while (!name.empty()) {
        std::string_view rest = name;
        const auto code_point = take_code_point(rest);
        const std::size_t taken = code_point ? name.size() - rest.size() : 1;
        if (code_point && is_printable(*code_point)) {
            shown += name.substr(0, taken);
        } else {
            for (const char byte : name.substr(0, taken)) {
                const auto value = static_cast<std::uint8_t>(byte);
                shown += {'\\', 'x', kHex[value >> 4], kHex[value & 0x0F]};
            }
        }
        name.remove_prefix(taken);
    }
    return shown;
}

} // namespace thru
