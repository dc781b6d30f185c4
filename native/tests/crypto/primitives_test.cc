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

namespace thru::test {
namespace {

SecretKey secret_of(ByteView bytes) {
    SecretKey key;
    std::ranges::copy(bytes, key.mutable_view().begin());
    return key;
}

TEST(Sha512, GivesTheStandardsExample) {
    EXPECT_EQ(to_bytes(sha512(as_bytes("abc"))),
              from_hex("ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                       "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"));
}

TEST(Hmac, GivesTheExamplesOfRfc4231) {
    const auto message = as_bytes("what do ya want for nothing?");
    EXPECT_EQ(to_bytes(hmac_sha256(as_bytes("Jefe"), message)),
              from_hex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"));
    EXPECT_EQ(to_bytes(hmac_sha512(as_bytes("Jefe"), message)),
              from_hex("164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                       "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"));
    // A key longer than a block.
    const Bytes long_key(131, 0xaa);
    EXPECT_EQ(to_bytes(hmac_sha256(
                  long_key, as_bytes("Test Using Larger Than Block-Size Key - Hash Key First"))),
              from_hex("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"));
}

TEST(Hmac, MayBeOfNothing) {
    EXPECT_EQ(to_bytes(hmac_sha256({}, {})),
              from_hex("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"));
    EXPECT_EQ(to_bytes(hmac_sha512({}, {})),
              from_hex("b936cee86c9f87aa5d3c6f2e84cb5a4239a5fe50480a6ec66b70ab5b1f4ac673"
                       "0c6c515421b327ec1d69402e53dfb49ad7381eb067b338fd7b0cb22247225d47"));
}

TEST(Digests, AreEqualOnlyInAllBytes) {
    const auto digest = hmac_sha512(as_bytes("key"), as_bytes("message"));
    EXPECT_TRUE(digests_equal(digest, hmac_sha512(as_bytes("key"), as_bytes("message"))));
    for (std::size_t index = 0; index < digest.size(); ++index) {
        auto other = digest;
        other[index] ^= 0x80;
        EXPECT_FALSE(digests_equal(digest, other)) << index;
    }
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

TEST(Hkdf, ExtractsAndExpandsWithSha512) {
    // The inputs are RFC 5869's first and third case, which has no outputs with SHA-512. These
    // outputs are from Python.
    const Bytes input(22, 0x0b);
    const auto key = hkdf_extract_sha512(from_hex("000102030405060708090a0b0c"), input);
    EXPECT_EQ(to_bytes(key.view()),
              from_hex("665799823737ded04a88e47e54a5890bb2c3d247c7a4254a8e61350723590a26"
                       "c36238127d8661b88cf80ef802d57e2f7cebcf1e00e083848be19929c61b4237"));
    const auto expected =
        from_hex("832390086cda71fb47625bb5ceb168e4c8e26a1a16ed34d9fc7fe92c1481579338da362cb8d9f925"
                 "d7cbcce0dff7098769cf15959867d571c1715450cb530137be3fb62f3cf32b84feba8f1eb1b563e2"
                 "0d9749b8640b8264c4b69b14ad5199115e1d609c");
    for (const std::size_t size : {1, 4, 32, 64, 65, 100}) {
        Bytes out(size);
        hkdf_expand_sha512(key, from_hex("f0f1f2f3f4f5f6f7f8f9"), out);
        EXPECT_EQ(out, Bytes(expected.begin(), expected.begin() + std::ssize(out)));
    }
    Bytes out(42);
    hkdf_expand_sha512(hkdf_extract_sha512({}, input), {}, out);
    EXPECT_EQ(out, from_hex("f5fa02b18298a72a8c23898a8703472c6eb179dc204c03425c970e3b164bf90fff22"
                            "d04836d0e2343bac"));
}

TEST(Box, GivesTheExampleOfTheXchachaDraft) {
    const auto key =
        secret_of(from_hex("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"));
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
    const auto key = secret_of(Bytes(32, 7));
    const auto nonce = random_box_nonce();
    const auto content = to_bytes(as_bytes("content"));
    const auto box = seal_box(key, nonce, as_bytes("data"), content);
    EXPECT_EQ(open_box(key, nonce, as_bytes("data"), box), content);
    EXPECT_FALSE(open_box(secret_of(Bytes(32, 8)), nonce, as_bytes("data"), box));
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
} // namespace thru::test
