#include "crypto/base64url.h"

#include <utility>

#include <sodium.h>

namespace thru {

namespace {

constexpr int kVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;

} // namespace

std::string to_base64url(ByteView bytes) {
    // The library also writes a terminating zero.
    std::string text(sodium_base64_ENCODED_LEN(bytes.size(), kVariant), '\0');
    sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(), kVariant);
    text.pop_back();
    return text;
}

std::optional<Bytes> from_base64url(std::string_view text) {
    Bytes bytes(text.size() / 4 * 3 + 3);
    std::size_t length = 0;
    if (sodium_base642bin(bytes.data(), bytes.size(), text.data(), text.size(), nullptr, &length,
                          nullptr, kVariant) != 0) {
        return std::nullopt;
    }
    bytes.resize(length);
    // libsodium 1.0.18 accepts some non-ASCII bytes as letters.
    return to_base64url(bytes) == text ? std::optional{std::move(bytes)} : std::nullopt;
}

} // namespace thru
