#include "compression/zstd.h"

#include <string>

#include <gtest/gtest.h>

#include "fs/disk.h"

namespace thru {
namespace {

constexpr std::size_t kTextBytes = 256 << 10;

std::string numbered_lines() {
    std::string text;
    for (int line = 0; text.size() < kTextBytes; ++line) {
        text += "line " + std::to_string(line * 7919 % 10'007) + " of a file\n";
    }
    text.resize(kTextBytes);
    return text;
}

TEST(Zstd, TextComesBack) {
    const auto plain = numbered_lines();
    const auto block = compressed(as_bytes(plain));
    ASSERT_TRUE(block);
    EXPECT_LT(block->size(), kTextBytes / 2);
    const auto again = decompressed(*block, kTextBytes);
    ASSERT_TRUE(again);
    EXPECT_EQ(as_text(*again), plain);
}

TEST(Zstd, ShortTextComesBack) {
    const auto plain = numbered_lines().substr(0, 2000);
    const auto block = compressed(as_bytes(plain));
    ASSERT_TRUE(block);
    const auto again = decompressed(*block, plain.size());
    ASSERT_TRUE(again);
    EXPECT_EQ(as_text(*again), plain);
}

TEST(Zstd, NoiseStaysAsItIs) {
    EXPECT_FALSE(compressed(as_bytes(test::noise(kTextBytes, 1))));
    EXPECT_FALSE(compressed(as_bytes(test::noise(1000, 1))));
    EXPECT_FALSE(compressed({}));
    // The sample decides.
    EXPECT_FALSE(compressed(
        as_bytes(test::noise(kTextBytes / 4, 1) + numbered_lines().substr(kTextBytes / 4))));
}

TEST(Zstd, ABlockHoldsExactlyItsData) {
    const auto block = *compressed(as_bytes(numbered_lines()));
    for (const std::size_t size :
         {std::size_t{1}, kTextBytes - 1, kTextBytes + 1, 2 * kTextBytes}) {
        EXPECT_FALSE(decompressed(block, size)) << size;
    }
    EXPECT_FALSE(decompressed(ByteView{block}.first(block.size() - 1), kTextBytes));
    auto longer = block;
    longer.push_back(0);
    EXPECT_FALSE(decompressed(longer, kTextBytes));
    EXPECT_FALSE(decompressed({}, 1));
    EXPECT_FALSE(decompressed(as_bytes("this is no compressed block"), kTextBytes));
}

} // namespace
} // namespace thru
