// Long-term keys: Ed25519 (RFC 8032).
#pragma once

#include <array>
#include <cstdint>

#include "base/bytes.h"
#include "crypto/secret_key.h"

namespace thru {

using PublicKey = std::array<std::uint8_t, 32>;
using Signature = std::array<std::uint8_t, 64>;

/// A seed of 32 bytes and the keys derived from it.
class SigningKey {
public:
    static SigningKey create();
    explicit SigningKey(const SecretKey &seed);

    const PublicKey &public_key() const { return public_key_; }
    /// Must be kept secret.
    const SecretKey &seed() const { return seed_; }
    Signature sign(ByteView message) const;

private:
    SecretKey seed_;
    PublicKey public_key_{};
};

/// Also false for keys and signatures that have small order or are not canonical.
bool is_signed_by(const PublicKey &key, ByteView message, const Signature &signature);

} // namespace thru
