#include "napi/name_text.h"

#include <cstddef>
#include <cstdint>

#include "base/utf8.h"

namespace thru {

namespace {

/// U+DC80 to U+DCFF represent the bytes from 0x80 on; other bytes are always valid UTF-8.
constexpr char16_t kEscape = 0xDC00;
constexpr char16_t kFirstEscaped = kEscape + 0x80;
constexpr char16_t kLastEscaped = kEscape + 0xFF;

bool is_high_surrogate(char16_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_escaped_byte(char16_t unit) { return unit >= kFirstEscaped && unit <= kLastEscaped; }

} // namespace

Napi::String name_text(Napi::Env env, std::string_view name) {
    if (is_utf8(name)) {
        return Napi::String::New(env, name.data(), name.size());
    }
    std::u16string text;
    text.reserve(name.size());
    while (!name.empty()) {
        const auto code_point = take_code_point(name);
        if (!code_point) {
            text += static_cast<char16_t>(kEscape + static_cast<std::uint8_t>(name[0]));
            name.remove_prefix(1);
        } else if (*code_point < 0x10000) {
            text += static_cast<char16_t>(*code_point);
        } else {
            const char32_t above = *code_point - 0x10000;
            text += static_cast<char16_t>(0xD800 + (above >> 10));
            text += static_cast<char16_t>(0xDC00 + (above & 0x3FF));
        }
    }
    return Napi::String::New(env, text);
}

std::string name_of(const Napi::String &text) {
    const std::u16string units = text.Utf16Value();
    std::string name;
    std::size_t begin = 0;
    const auto add_text = [&](std::size_t end) {
        if (begin < end) {
            name += Napi::String::New(text.Env(), units.data() + begin, end - begin).Utf8Value();
        }
    };
    for (std::size_t at = 0; at < units.size(); ++at) {
        const bool is_pair = at > 0 && is_high_surrogate(units[at - 1]);
        if (is_escaped_byte(units[at]) && !is_pair) {
            add_text(at);
            name += static_cast<char>(units[at] - kEscape);
            begin = at + 1;
        }
    }
    add_text(units.size());
    return name;
}

} // namespace thru
