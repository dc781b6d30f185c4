#include "base/utf8.h"

#include <cstdint>
#include <cstring>

namespace thru {

namespace {

/// Length of the well-formed character that `text` begins with; 0 when it begins with none.
/// Unicode 15, table 3-7.
std::size_t character_bytes(std::string_view text) {
    const auto byte = [&](std::size_t index) { return static_cast<std::uint8_t>(text[index]); };
    const auto continues = [&](std::size_t index) { return (byte(index) & 0xc0) == 0x80; };
    const auto lead = byte(0);
    if (lead < 0x80) {
        return 1;
    }
    if (lead >= 0xc2 && lead <= 0xdf) {
        return text.size() >= 2 && continues(1) ? 2 : 0;
    }
    if (lead >= 0xe0 && lead <= 0xef) {
        const bool whole = text.size() >= 3 && continues(1) && continues(2);
        const bool overlong = whole && lead == 0xe0 && byte(1) < 0xa0;
        const bool surrogate = whole && lead == 0xed && byte(1) >= 0xa0;
        return whole && !overlong && !surrogate ? 3 : 0;
    }
    if (lead >= 0xf0 && lead <= 0xf4) {
        const bool whole = text.size() >= 4 && continues(1) && continues(2) && continues(3);
        const bool overlong = whole && lead == 0xf0 && byte(1) < 0x90;
        const bool beyond = whole && lead == 0xf4 && byte(1) >= 0x90;
        return whole && !overlong && !beyond ? 4 : 0;
    }
    return 0;
}

/// C0, DEL and C1. `character` is one well-formed character.
bool is_control(std::string_view character) {
    const auto first = static_cast<std::uint8_t>(character[0]);
    if (character.size() == 1) {
        return first < 0x20 || first == 0x7f;
    }
    return first == 0xc2 && static_cast<std::uint8_t>(character[1]) < 0xa0;
}

/// Bytes at the front of `text` that are certainly ASCII: eight at a time, which is what makes
/// checking a million paths cheap.
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

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const auto ascii = ascii_run(text);
        if (ascii > 0) {
            text.remove_prefix(ascii);
            continue;
        }
        const auto length = character_bytes(text);
        if (length == 0) {
            return false;
        }
        text.remove_prefix(length);
    }
    return true;
}

bool is_peer_name(std::string_view name) {
    return name.size() <= kMaxPeerNameBytes && to_peer_name(name) == name;
}

std::string to_peer_name(std::string_view text) {
    std::string name;
    while (!text.empty()) {
        const auto length = character_bytes(text);
        const auto character = text.substr(0, length);
        if (name.size() + length > kMaxPeerNameBytes) {
            break;
        }
        if (length > 0 && !is_control(character)) {
            name += character;
        }
        text.remove_prefix(length > 0 ? length : 1);
    }
    return name;
}

} // namespace thru
