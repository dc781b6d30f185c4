#include "crypto/signature.h"

#include <sodium.h>

#include "crypto/libraries.h"
#include "crypto/random.h"

namespace thru {

namespace {

/// The library's signing key: seed and public key.
using ExpandedKey = SecretBytes<crypto_sign_SECRETKEYBYTES>;

ExpandedKey expand(const SecretKey &seed, PublicKey &public_key) {
    prepare_sodium();
    ExpandedKey expanded;
    crypto_sign_seed_keypair(public_key.data(), expanded.mutable_view().data(), seed.view().data());
    return expanded;
}

SecretKey random_seed() {
    SecretKey seed;
    random_bytes(seed.mutable_view());
    return seed;
}

} // namespace

static_assert(std::tuple_size_v<PublicKey> == crypto_sign_PUBLICKEYBYTES);
static_assert(std::tuple_size_v<Signature> == crypto_sign_BYTES);

SigningKey SigningKey::create() { return SigningKey{random_seed()}; }

SigningKey::SigningKey(const SecretKey &seed) : seed_(seed) { expand(seed_, public_key_); }

Signature SigningKey::sign(ByteView message) const {
    PublicKey public_key;
    const auto expanded = expand(seed_, public_key);
    Signature signature;
    crypto_sign_detached(signature.data(), nullptr, message.data(), message.size(),
                         expanded.view().data());
    return signature;
}

bool is_signed_by(const PublicKey &key, ByteView message, const Signature &signature) {
    prepare_sodium();
    return crypto_sign_verify_detached(signature.data(), message.data(), message.size(),
                                       key.data()) == 0;
}

} // namespace thru
