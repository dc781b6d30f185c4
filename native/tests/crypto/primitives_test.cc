// Digests, key derivation, boxes, random numbers, base64url.
#include <algorithm>
#include <array>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "crypto/aead.h"
#include "crypto/base64url.h"
#include "crypto/digest.h"
#include "crypto/hkdf.h"
#include "crypto/random.h"
#include "crypto/secret_key.h"
#include "support/vectors.h"

namespace thru {
namespace {

using test::from_hex;

Bytes to_bytes(ByteView view) { return {view.begin(), view.end()}; }

SecretKey key_of(ByteView bytes) {
    SecretKey key;
    std::ranges::copy(bytes, key.mutable_view().begin());
    return key;
}

TEST(Sha256, GivesTheStandardsExample) {
    EXPECT_EQ(to_bytes(sha256(as_bytes("abc"))),
              from_hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
}

TEST(Blake3, GivesTheKnownDigests) {
    Blake3 empty;
    EXPECT_EQ(to_bytes(empty.finish()),
              from_hex("af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"));
    Blake3 abc;
    abc.update(as_bytes("abc"));
    EXPECT_EQ(to_bytes(abc.finish()),
              from_hex("6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85"));
}

TEST(Blake3, DoesNotDependOnThePieces) {
    const Bytes data(100'000, 0x5a);
    Blake3 whole;
    whole.update(data);
    Blake3 pieces;
    for (std::size_t begin = 0; begin < data.size(); begin += 777) {
        pieces.update(
            ByteView{data}.subspan(begin, std::min<std::size_t>(777, data.size() - begin)));
    }
    EXPECT_TRUE(digests_equal(whole.finish(), pieces.finish()));
    EXPECT_TRUE(digests_equal(whole.finish(), whole.finish())) << "finish changes nothing";
    pieces.update(as_bytes("x"));
    EXPECT_FALSE(digests_equal(whole.finish(), pieces.finish()));
}

TEST(Hkdf, GivesTheExamplesOfRfc5869) {
    const Bytes input(22, 0x0b);
    EXPECT_EQ(to_bytes(hkdf_sha256(input, from_hex("000102030405060708090a0b0c"),
                                   from_hex("f0f1f2f3f4f5f6f7f8f9"))
                           .view()),
              from_hex("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"));
    EXPECT_EQ(to_bytes(hkdf_sha256(input, {}, {}).view()),
              from_hex("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"));
}

TEST(Box, GivesTheExampleOfTheXchachaDraft) {
    const auto key =
        key_of(from_hex("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"));
    BoxNonce nonce;
    std::ranges::copy(from_hex("404142434445464748494a4b4c4d4e4f5051525354555657"), nonce.begin());
    const auto box = seal_box(key, nonce, from_hex("50515253c0c1c2c3c4c5c6c7"),
                              as_bytes("Ladies and Gentlemen of the class of '99: If I could offer "
                                       "you only one tip for the future, sunscreen would be it."));
    ASSERT_GE(box.size(), kBoxOverheadBytes);
    EXPECT_EQ(Bytes(box.end() - kBoxOverheadBytes, box.end()),
              from_hex("c0875924c1c7987947deafd8780acf49"));
}

TEST(Box, OpensOnlyWithEverythingAsItWasSealed) {
    const auto key = key_of(Bytes(32, 7));
    const auto nonce = random_box_nonce();
    const auto content = to_bytes(as_bytes("content"));
    const auto box = seal_box(key, nonce, as_bytes("data"), content);
    EXPECT_EQ(open_box(key, nonce, as_bytes("data"), box), content);
    EXPECT_FALSE(open_box(key_of(Bytes(32, 8)), nonce, as_bytes("data"), box));
    EXPECT_FALSE(open_box(key, random_box_nonce(), as_bytes("data"), box));
    EXPECT_FALSE(open_box(key, nonce, as_bytes("date"), box));
    for (std::size_t index = 0; index < box.size(); ++index) {
        auto altered = box;
        altered[index] ^= 1;
        EXPECT_FALSE(open_box(key, nonce, as_bytes("data"), altered)) << index;
        EXPECT_FALSE(open_box(key, nonce, as_bytes("data"), ByteView{box}.first(index))) << index;
    }
}

TEST(Box, MayBeEmpty) {
    const SecretKey key;
    const auto nonce = random_box_nonce();
    EXPECT_EQ(open_box(key, nonce, {}, seal_box(key, nonce, {}, {})), Bytes{});
}

TEST(Random, BytesDoNotRepeat) {
    std::set<BoxNonce> seen;
    for (int count = 0; count < 1000; ++count) {
        EXPECT_TRUE(seen.insert(random_box_nonce()).second);
    }
}

TEST(Random, NumbersBelowABoundAreSpreadEvenly) {
    constexpr std::uint32_t kBound = 10;
    constexpr int kDraws = 100'000;
    std::array<int, kBound> counts{};
    for (int draw = 0; draw < kDraws; ++draw) {
        const auto number = random_below(kBound);
        ASSERT_LT(number, kBound);
        ++counts[number];
    }
    // Chi-square with 9 degrees of freedom passes 50 once in ten million runs.
    double chi_square = 0;
    for (const auto count : counts) {
        const double off = count - kDraws / static_cast<double>(kBound);
        chi_square += off * off / (kDraws / static_cast<double>(kBound));
    }
    EXPECT_LT(chi_square, 50);
    EXPECT_EQ(random_below(1), 0U);
}

TEST(Secrets, AreOverwritten) {
    Bytes secret(40, 0xff);
    wipe(secret);
    EXPECT_EQ(secret, Bytes(40, 0));
    std::string words = "apple-riverboat-stopwatch";
    wipe(words);
    EXPECT_TRUE(words.empty());
}

TEST(Base64Url, GivesTheExamplesOfRfc4648WithoutPadding) {
    for (const auto &[plain, encoded] :
         {std::pair{"", ""}, {"f", "Zg"}, {"fo", "Zm8"}, {"foo", "Zm9v"}, {"foob", "Zm9vYg"}}) {
        EXPECT_EQ(to_base64url(as_bytes(plain)), encoded);
        EXPECT_EQ(from_base64url(encoded), to_bytes(as_bytes(plain)));
    }
    EXPECT_EQ(to_base64url(from_hex("fbff")), "-_8");
}

TEST(Base64Url, TakesOneTextForEachContentOnly) {
    for (const auto *text : {"Zg==", "Zg=", "Z", "Zm9vY", "Zh", "Zm9", "Zm9v ", " Zm9v", "Zm 9v",
                             "Zm9v\n", "+_8", "-/8", "Zm9v\xc3",
                             "A\xe2"
                             "ba"}) {
        EXPECT_FALSE(from_base64url(text)) << text;
    }
}

} // namespace
} // namespace thru
