#include "base/utf8.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

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

struct CodePoints {
    char32_t first;
    char32_t last;
};

/// In rising order: class Cc, line and paragraph separators, Default_Ignorable_Code_Point except
/// joiners and variation selectors, annotation characters, and the braille blank.
constexpr std::array kInvisible = {
    CodePoints{0x0000, 0x001F},   CodePoints{0x007F, 0x009F},   CodePoints{0x00AD, 0x00AD},
    CodePoints{0x034F, 0x034F},   CodePoints{0x061C, 0x061C},   CodePoints{0x115F, 0x1160},
    CodePoints{0x17B4, 0x17B5},   CodePoints{0x180E, 0x180E},   CodePoints{0x200B, 0x200B},
    CodePoints{0x200E, 0x200F},   CodePoints{0x2028, 0x202E},   CodePoints{0x2060, 0x206F},
    CodePoints{0x2800, 0x2800},   CodePoints{0x3164, 0x3164},   CodePoints{0xFEFF, 0xFEFF},
    CodePoints{0xFFA0, 0xFFA0},   CodePoints{0xFFF0, 0xFFFB},   CodePoints{0x1BCA0, 0x1BCA3},
    CodePoints{0x1D173, 0x1D17A}, CodePoints{0xE0000, 0xE00FF}, CodePoints{0xE01F0, 0xE0FFF}};

bool is_joiner(char32_t code_point) { return code_point == 0x200C || code_point == 0x200D; }

bool is_variation_selector(char32_t code_point) {
    return (code_point >= 0x180B && code_point <= 0x180F && code_point != 0x180E) ||
           (code_point >= 0xFE00 && code_point <= 0xFE0F) ||
           (code_point >= 0xE0100 && code_point <= 0xE01EF);
}

/// Keycap emoji are made of these, the only ASCII characters that a variation selector changes.
bool is_keycap(char32_t code_point) {
    return (code_point >= '0' && code_point <= '9') || code_point == '#' || code_point == '*';
}

/// Bytes of ASCII at the front of `text`, in steps of eight: makes checking a million paths cheap.
std::size_t ascii_run(std::string_view text) {
    constexpr std::uint64_t kHighBits = 0x8080808080808080;
    std::size_t length = 0;
    while (text.size() - length >= sizeof kHighBits) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data() + length, sizeof word);
        if ((word & kHighBits) != 0) {
            break;
        }
        length += sizeof word;
    }
    return length;
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

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const auto ascii = ascii_run(text);
        if (ascii > 0) {
            text.remove_prefix(ascii);
        } else if (!take_code_point(text)) {
            return false;
        }
    }
    return true;
}

bool is_visible(char32_t code_point, char32_t before) {
    if (is_joiner(code_point)) {
        return before >= 0x80 && !is_joiner(before);
    }
    if (is_variation_selector(code_point)) {
        const bool changed = before >= 0x80 || is_keycap(before);
        return changed && !is_joiner(before) && !is_variation_selector(before);
    }
    const auto range = std::ranges::lower_bound(kInvisible, code_point, {}, &CodePoints::last);
    return range == kInvisible.end() || code_point < range->first;
}

bool is_peer_name(std::string_view name) {
    return name.size() <= kMaxPeerNameBytes && to_peer_name(name) == name;
}

std::string to_peer_name(std::string_view text) {
    std::string name;
    char32_t before = 0;
    while (!text.empty()) {
        std::string_view rest = text;
        const auto code_point = take_code_point(rest);
        const std::size_t length = code_point ? text.size() - rest.size() : 1;
        if (code_point && is_visible(*code_point, before)) {
            if (name.size() + length > kMaxPeerNameBytes) {
                break;
            }
            name += text.substr(0, length);
            before = *code_point;
        }
        text.remove_prefix(length);
    }
    return name;
}

} // namespace thru
