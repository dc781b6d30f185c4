#include "crypto/digest.h"

#include <cstdlib>

#include <blake3.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

#include "crypto/libraries.h"

namespace thru {

namespace {

template <class Tag> Tag hmac(const EVP_MD *hash, ByteView key, ByteView message) {
    prepare_openssl();
    // The library doesn't accept a null pointer for empty input.
    static constexpr std::uint8_t kNothing = 0;
    const auto *content = message.empty() ? &kNothing : message.data();
    Tag tag;
    if (HMAC(hash, key.data(), static_cast<int>(key.size()), content, message.size(), tag.data(),
             nullptr) == nullptr) {
        std::abort();
    }
    return tag;
}

} // namespace

struct Blake3::State {
    blake3_hasher hasher;
};

Blake3::Blake3() : state_(std::make_unique<State>()) { blake3_hasher_init(&state_->hasher); }
Blake3::~Blake3() = default;
Blake3::Blake3(Blake3 &&) noexcept = default;
Blake3 &Blake3::operator=(Blake3 &&) noexcept = default;

void Blake3::update(ByteView bytes) {
    blake3_hasher_update(&state_->hasher, bytes.data(), bytes.size());
}

Digest Blake3::finish() const {
    Digest digest;
    blake3_hasher_finalize(&state_->hasher, digest.data(), digest.size());
    return digest;
}

Digest blake3_of(ByteView bytes) {
    Blake3 hasher;
    hasher.update(bytes);
    return hasher.finish();
}

LongDigest sha512(ByteView bytes) {
    prepare_openssl();
    LongDigest digest;
    SHA512(bytes.data(), bytes.size(), digest.data());
    return digest;
}

Digest hmac_sha256(ByteView key, ByteView message) {
    return hmac<Digest>(EVP_sha256(), key, message);
}

LongDigest hmac_sha512(ByteView key, ByteView message) {
    return hmac<LongDigest>(EVP_sha512(), key, message);
}

bool digests_equal(const Digest &a, const Digest &b) {
    return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

bool digests_equal(const LongDigest &a, const LongDigest &b) {
    return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

} // namespace thru
