#include "crypto/base64url.h"

#include <sodium.h>

namespace thru {

namespace {

constexpr int kVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;

} // namespace

std::string to_base64url(ByteView bytes) {
    // The library writes a terminating zero, too.
    std::string text(sodium_base64_ENCODED_LEN(bytes.size(), kVariant), '\0');
    sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(), kVariant);
    text.pop_back();
    return text;
}

std::optional<Bytes> from_base64url(std::string_view text) {
    Bytes bytes(text.size() / 4 * 3 + 3);
    std::size_t length = 0;
    const char *end = nullptr;
    if (sodium_base642bin(bytes.data(), bytes.size(), text.data(), text.size(), nullptr, &length,
                          &end, kVariant) != 0 ||
        end != text.data() + text.size()) {
        return std::nullopt;
    }
    bytes.resize(length);
    return bytes;
}

} // namespace thru
