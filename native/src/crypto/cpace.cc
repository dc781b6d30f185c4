#include "crypto/cpace.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <sodium.h>

#include "crypto/digest.h"
#include "crypto/length_prefix.h"
#include "crypto/libraries.h"

namespace thru {

namespace {

static_assert(std::tuple_size_v<CpaceShare> == crypto_core_ristretto255_BYTES);
static_assert(std::tuple_size_v<LongDigest> == crypto_core_ristretto255_HASHBYTES);

/// G.DSI of the group, and the label hashed into the key.
constexpr std::string_view kGroup = "CPaceRistretto255";
constexpr std::string_view kKeyLabel = "CPaceRistretto255_ISK";

/// s_in_bytes: the block size of SHA-512.
constexpr std::size_t kHashBlockBytes = 128;

/// generator_string of the draft. Secret and padding fill the hash's first block, so the hashing
/// time doesn't reveal the secret's length.
Bytes generator_string(const CpaceInput &input) {
    static constexpr std::array<std::uint8_t, kHashBlockBytes> kZeros{};
    // One more byte for the length of the padding.
    const auto used = std::min(lv_size({as_bytes(kGroup), input.secret}) + 1, kHashBlockBytes);
    const auto padding = ByteView{kZeros}.first(kHashBlockBytes - used);
    return lv_cat({as_bytes(kGroup), input.secret, padding, input.channel, input.session});
}

SecretKey generator_of(const CpaceInput &input) {
    auto text = generator_string(input);
    auto hash = sha512(text);
    SecretKey generator;
    crypto_core_ristretto255_from_hash(generator.mutable_view().data(), hash.data());
    wipe(text);
    wipe(hash);
    return generator;
}

/// scalar_mult_vfy of the draft; nullopt if the result is the identity, which must end the run. The
/// identity as input and a zero scalar also give the identity.
std::optional<SecretKey> multiply(const SecretKey &scalar, const CpaceShare &element) {
    // libsodium refuses non-canonical encodings, but overlooks the highest bit before 1.0.19.
    if ((element.back() & 0x80) != 0) {
        return std::nullopt;
    }
    SecretKey product;
    if (crypto_scalarmult_ristretto255(product.mutable_view().data(), scalar.view().data(),
                                       element.data()) != 0) {
        return std::nullopt;
    }
    return product;
}

SecretKey random_scalar() {
    prepare_sodium();
    SecretKey scalar;
    crypto_core_ristretto255_scalar_random(scalar.mutable_view().data());
    return scalar;
}

} // namespace

Cpace::Cpace(const CpaceInput &input) : Cpace(input, random_scalar()) {}

Cpace::Cpace(const CpaceInput &input, const SecretKey &scalar)
    : scalar_(scalar), session_(input.session.begin(), input.session.end()) {
    const auto generator = generator_of(input);
    if (crypto_scalarmult_ristretto255(share_.data(), scalar_.view().data(),
                                       generator.view().data()) != 0) {
        // The generator is the identity; finding such an input is infeasible.
        std::abort();
    }
}

Cpace::Cpace(Cpace &&other) noexcept
    : scalar_(std::exchange(other.scalar_, {})), share_(other.share_),
      session_(std::move(other.session_)) {}

Cpace &Cpace::operator=(Cpace &&other) noexcept {
    scalar_ = std::exchange(other.scalar_, {});
    share_ = other.share_;
    session_ = std::move(other.session_);
    return *this;
}

std::optional<CpaceKey> Cpace::finish(Role role, const CpaceShare &peer, ByteView own_data,
                                      ByteView peer_data) {
    const auto scalar = std::exchange(scalar_, {});
    const auto product = peer == share_ ? std::nullopt : multiply(scalar, peer);
    if (!product) {
        return std::nullopt;
    }
    ByteView first = share_;
    ByteView second = peer;
    if (role == Role::Responder) {
        std::swap(first, second);
        std::swap(own_data, peer_data);
    }
    auto text = lv_cat(
        {as_bytes(kKeyLabel), session_, product->view(), first, own_data, second, peer_data});
    auto hash = sha512(text);
    CpaceKey key;
    std::ranges::copy(hash, key.mutable_view().begin());
    wipe(text);
    wipe(hash);
    return key;
}

} // namespace thru
