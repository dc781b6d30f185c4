#include "engine/key_encoding.h"

#include <algorithm>

#include "crypto/base64url.h"

namespace thru {

namespace {

/// False unless `text` decodes to exactly the size of `out`.
bool read(std::string_view text, MutableByteView out) {
    auto bytes = from_base64url(text);
    const bool fits = bytes && bytes->size() == out.size();
    if (fits) {
        std::ranges::copy(*bytes, out.begin());
    }
    if (bytes) {
        wipe(*bytes);
    }
    return fits;
}

} // namespace

std::string encode_key(const SecretKey &key) { return to_base64url(key.view()); }

std::string encode_key(const PublicKey &key) { return to_base64url(key); }

std::optional<SecretKey> secret_key_from(std::string_view text) {
    SecretKey key;
    return read(text, key.mutable_view()) ? std::optional(key) : std::nullopt;
}

std::optional<PublicKey> public_key_from(std::string_view text) {
    PublicKey key{};
    return read(text, key) ? std::optional(key) : std::nullopt;
}

} // namespace thru
