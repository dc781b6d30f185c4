#include "wire/segment_blocks.h"

#include <vector>

#include <gtest/gtest.h>

#include "wire/segment.h"
#include "wire/varint.h"

namespace thru {
namespace {

constexpr std::size_t kHeaderOfBlocks = 5;

/// A block of `size` bytes, after its length.
Bytes block_of(std::size_t size, std::uint8_t content = 7) {
    Bytes bytes;
    append_varint(bytes, size);
    bytes.insert(bytes.end(), size, content);
    return bytes;
}

/// Feeds pieces of `step` bytes; returns all blocks, or none after an error.
std::vector<SegmentBlock> blocks_in(ByteView bytes, std::uint64_t left, std::size_t step) {
    SegmentBlockDecoder decoder(kHeaderOfBlocks, left);
    std::vector<SegmentBlock> blocks;
    while (!bytes.empty()) {
        const auto taken = decoder.feed(bytes.first(std::min(step, bytes.size())));
        if (!taken) {
            return {};
        }
        bytes = bytes.subspan(*taken);
        if (decoder.whole()) {
            blocks.push_back(decoder.take());
        }
    }
    return blocks;
}

TEST(SegmentBlocks, EndWhereTheStreamHasAMultipleOfTheirSize) {
    const std::uint64_t left = 2 * kBlockBytes;
    Bytes bytes = block_of(10);
    append_bytes(bytes, block_of(kBlockBytes));
    append_bytes(bytes, block_of(kHeaderOfBlocks));
    for (const std::size_t step : {std::size_t{1}, std::size_t{3}, bytes.size()}) {
        const auto blocks = blocks_in(bytes, left, step);
        ASSERT_EQ(blocks.size(), 3U) << step;
        EXPECT_EQ(blocks[0].plain, kBlockBytes - kHeaderOfBlocks);
        EXPECT_EQ(blocks[0].in_stream, 11U);
        EXPECT_TRUE(blocks[0].is_compressed());
        EXPECT_EQ(blocks[1].plain, kBlockBytes);
        EXPECT_FALSE(blocks[1].is_compressed());
        EXPECT_EQ(blocks[2].plain, kHeaderOfBlocks);
        EXPECT_EQ(blocks[2].bytes, Bytes(kHeaderOfBlocks, 7));
    }
}

TEST(SegmentBlocks, AreNeverLongerThanTheirData) {
    EXPECT_EQ(blocks_in(block_of(40), 40, 1).size(), 1U);
    EXPECT_TRUE(blocks_in(block_of(41), 40, 1).empty());
    EXPECT_TRUE(blocks_in(block_of(kBlockBytes - kHeaderOfBlocks + 1), 8 << 20, 1 << 20).empty());
    // The length alone is refused, before any of its bytes.
    Bytes length;
    append_varint(length, kMaxVarint);
    SegmentBlockDecoder decoder(kHeaderOfBlocks, 40);
    EXPECT_FALSE(decoder.feed(length));
}

TEST(SegmentBlocks, AreNeverEmpty) { EXPECT_TRUE(blocks_in(block_of(0), 40, 1).empty()); }

TEST(SegmentBlocks, NothingFollowsTheLast) {
    SegmentBlockDecoder decoder(kHeaderOfBlocks, 40);
    const auto bytes = block_of(12);
    EXPECT_EQ(decoder.feed(bytes), bytes.size());
    EXPECT_TRUE(decoder.whole() && decoder.at_last());
    EXPECT_FALSE(decoder.feed(bytes));
}

TEST(SegmentBlocks, HoldTheBytesOfAnUnfinishedOne) {
    SegmentBlockDecoder decoder(kHeaderOfBlocks, 8 << 20);
    Bytes length;
    append_varint(length, kBlockBytes - kHeaderOfBlocks);
    ASSERT_TRUE(decoder.feed(length));
    EXPECT_EQ(decoder.held(), length.size());
    ASSERT_TRUE(decoder.feed(Bytes(100)));
    EXPECT_EQ(decoder.held(), length.size() + 100);
    EXPECT_FALSE(decoder.whole());
}

} // namespace
} // namespace thru
