#include "crypto/length_prefix.h"

#include <numeric>

#include <gtest/gtest.h>

#include "support/vectors.h"

namespace thru::test {
namespace {

Bytes counting(std::size_t size) {
    Bytes bytes(size);
    std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
    return bytes;
}

TEST(LengthPrefix, GivesTheExamplesOfTheDraft) {
    EXPECT_EQ(lv_cat({ByteView{}}), from_hex("00"));
    EXPECT_EQ(lv_cat({as_bytes("1234")}), from_hex("0431323334"));
    EXPECT_EQ(lv_cat({as_bytes("1234"), as_bytes("5"), as_bytes(""), as_bytes("678")}),
              from_hex("043132333401350003363738"));
    for (const auto &[size, prefix] : {std::pair{127, "7f"}, {128, "8001"}}) {
        auto expected = from_hex(prefix);
        const auto part = counting(static_cast<std::size_t>(size));
        expected.insert(expected.end(), part.begin(), part.end());
        EXPECT_EQ(lv_cat({part}), expected);
    }
}

TEST(LengthPrefix, TakesTwoBytesBelow16384AndThreeFromThere) {
    for (const auto &[size, prefix] : {std::pair{16383, "ff7f"}, {16384, "808001"}}) {
        const auto joined = lv_cat({Bytes(static_cast<std::size_t>(size), 7)});
        const auto expected = from_hex(prefix);
        EXPECT_EQ(joined.size(), expected.size() + static_cast<std::size_t>(size));
        EXPECT_EQ(Bytes(joined.begin(), joined.begin() + std::ssize(expected)), expected);
    }
}

TEST(LengthPrefix, IsNothingForNothing) { EXPECT_TRUE(lv_cat({}).empty()); }

TEST(LengthPrefix, KnowsItsSizeBeforehand) {
    for (const std::size_t size : {0, 1, 127, 128, 129, 16383, 16384, 100'000}) {
        const auto part = counting(size);
        const auto joined = lv_cat({part, part});
        EXPECT_EQ(lv_size({part, part}), joined.size()) << size;
        EXPECT_EQ(joined.capacity(), joined.size()) << "never grew";
    }
}

TEST(LengthPrefix, DistinguishesWhatPlainConcatenationDoesNot) {
    EXPECT_NE(lv_cat({as_bytes("ab"), as_bytes("c")}), lv_cat({as_bytes("a"), as_bytes("bc")}));
    EXPECT_NE(lv_cat({as_bytes("abc")}), lv_cat({as_bytes("abc"), as_bytes("")}));
}

} // namespace
} // namespace thru::test
