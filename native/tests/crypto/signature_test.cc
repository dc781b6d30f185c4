// Ed25519.
#include "crypto/signature.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "support/vectors.h"

namespace thru::test {
namespace {

SigningKey key_from(std::string_view seed) {
    SecretKey key;
    std::ranges::copy(from_hex(seed), key.mutable_view().begin());
    return SigningKey{key};
}

template <class Fixed> Fixed fixed(std::string_view hex) {
    Fixed value{};
    std::ranges::copy(from_hex(hex), value.begin());
    return value;
}

TEST(Signature, GivesTheExamplesOfRfc8032) {
    struct Example {
        const char *seed;
        const char *public_key;
        const char *message;
        const char *signature;
    };
    for (const auto &[seed, public_key, message, signature] :
         {Example{"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
                  "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
                  "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bac"
                  "c61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"},
          Example{"c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
                  "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
                  "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290"
                  "ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"}}) {
        const auto key = key_from(seed);
        EXPECT_EQ(to_hex(key.seed().view()), seed);
        EXPECT_EQ(to_hex(key.public_key()), public_key);
        EXPECT_EQ(to_hex(key.sign(from_hex(message))), signature);
        EXPECT_TRUE(is_signed_by(key.public_key(), from_hex(message), fixed<Signature>(signature)));
    }
}

TEST(Signature, HoldsForOneKeyMessageAndSignatureOnly) {
    const auto key = SigningKey::create();
    const auto message = from_hex("00112233");
    const auto signature = key.sign(message);
    EXPECT_TRUE(is_signed_by(key.public_key(), message, signature));
    EXPECT_FALSE(is_signed_by(SigningKey::create().public_key(), message, signature));
    EXPECT_FALSE(is_signed_by(key.public_key(), from_hex("00112234"), signature));
    EXPECT_FALSE(is_signed_by(key.public_key(), {}, signature));
    for (std::size_t bit = 0; bit < 8 * signature.size(); ++bit) {
        auto altered = signature;
        altered[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
        EXPECT_FALSE(is_signed_by(key.public_key(), message, altered)) << bit;
    }
    for (std::size_t bit = 0; bit < 8 * key.public_key().size(); ++bit) {
        auto altered = key.public_key();
        altered[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
        EXPECT_FALSE(is_signed_by(altered, message, signature)) << bit;
    }
}

TEST(Signature, RefusesKeysThatSignEverything) {
    // If the key and R are points of small order and S = 0, the equation holds for any message.
    for (const auto *point : {"0100000000000000000000000000000000000000000000000000000000000000",
                              "0000000000000000000000000000000000000000000000000000000000000000",
                              "0000000000000000000000000000000000000000000000000000000000000080",
                              "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
                              "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
                              "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
                              "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
                              "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"}) {
        const auto key = fixed<PublicKey>(point);
        const auto signature = fixed<Signature>(point);
        for (const auto *message : {"", "a", "b", "c", "d", "e", "f", "g", "h", "i"}) {
            EXPECT_FALSE(is_signed_by(key, as_bytes(message), signature)) << point;
        }
    }
}

TEST(Signature, RefusesTheSameSignatureWithTheGroupsOrderAdded) {
    const auto key = SigningKey::create();
    auto signature = key.sign(as_bytes("message"));
    ASSERT_TRUE(is_signed_by(key.public_key(), as_bytes("message"), signature));
    const auto order = from_hex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
    unsigned carry = 0;
    for (std::size_t index = 0; index < order.size(); ++index) {
        carry += signature[32 + index] + order[index];
        signature[32 + index] = static_cast<std::uint8_t>(carry);
        carry >>= 8;
    }
    EXPECT_FALSE(is_signed_by(key.public_key(), as_bytes("message"), signature));
}

TEST(Signature, KeysDoNotRepeat) {
    std::set<PublicKey> seen;
    for (int count = 0; count < 100; ++count) {
        EXPECT_TRUE(seen.insert(SigningKey::create().public_key()).second);
    }
}

} // namespace
} // namespace thru::test
