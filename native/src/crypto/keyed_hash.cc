#include "crypto/keyed_hash.h"

#include <cstring>

#include <sodium.h>

#include "crypto/random.h"

namespace thru {

KeyedHash::KeyedHash() { random_bytes(key_); }

std::uint64_t KeyedHash::operator()(ByteView bytes) const {
    static_assert(crypto_shorthash_KEYBYTES == sizeof key_);
    static_assert(crypto_shorthash_BYTES == sizeof(std::uint64_t));
    std::array<std::uint8_t, sizeof(std::uint64_t)> out{};
    crypto_shorthash(out.data(), bytes.data(), bytes.size(), key_.data());
    std::uint64_t hash = 0;
    std::memcpy(&hash, out.data(), sizeof hash);
    return hash;
}

} // namespace thru
