#include "engine/share/compression_choice.h"

#include <gtest/gtest.h>

namespace thru {
namespace {

constexpr std::uint64_t kChosenBytes = 8 << 20;
constexpr std::size_t kChosenBlocks = 33;
constexpr std::uint64_t kBlockOfChoice = 256 << 10;
constexpr std::uint64_t kMegabyte = 1'000'000;

/// Measures compressible blocks at `rate` bytes a second.
void measure_blocks(CompressionChoice &choice, std::uint64_t rate, int blocks = 400) {
    for (int block = 0; block < blocks; ++block) {
        choice.on_tried(kBlockOfChoice, kBlockOfChoice / 2, kBlockOfChoice * kSecond / rate);
    }
}

TEST(CompressionChoice, BeginsBeforeAnythingIsMeasured) {
    CompressionChoice choice;
    EXPECT_TRUE(choice.begins(kChosenBytes, kChosenBlocks, std::nullopt));
    EXPECT_TRUE(choice.begins(kChosenBytes, kChosenBlocks, 100 * kMegabyte));
    EXPECT_TRUE(choice.tries());
    EXPECT_FALSE(choice.begins(100, 1, std::nullopt));
}

TEST(CompressionChoice, EndsOnAFastPathAndBeginsAgainOnASlowOne) {
    CompressionChoice choice;
    measure_blocks(choice, 200 * kMegabyte);
    EXPECT_TRUE(choice.begins(kChosenBytes, kChosenBlocks, 90 * kMegabyte));
    EXPECT_FALSE(choice.begins(kChosenBytes, kChosenBlocks, 110 * kMegabyte));
    EXPECT_FALSE(choice.begins(kChosenBytes, kChosenBlocks, 90 * kMegabyte));
    EXPECT_TRUE(choice.begins(kChosenBytes, kChosenBlocks, 40 * kMegabyte));
    EXPECT_TRUE(choice.begins(kChosenBytes, kChosenBlocks, 90 * kMegabyte));
}

TEST(CompressionChoice, OneTickOfAClockDecidesNothing) {
    CompressionChoice choice;
    choice.on_tried(600, 300, 16 * kMillisecond);
    EXPECT_TRUE(choice.begins(kChosenBytes, kChosenBlocks, kMegabyte));
}

TEST(CompressionChoice, ABusyComputerIsMeasuredAgain) {
    CompressionChoice choice;
    measure_blocks(choice, 2 * kMegabyte);
    int segments = 0;
    while (!choice.begins(kChosenBytes, kChosenBlocks, 2 * kMegabyte)) {
        ASSERT_LT(++segments, 20);
    }
    EXPECT_GT(segments, 2);
    measure_blocks(choice, 200 * kMegabyte);
    EXPECT_TRUE(choice.begins(kChosenBytes, kChosenBlocks, 20 * kMegabyte));
}

TEST(CompressionChoice, NoiseIsTriedLessAndLess) {
    CompressionChoice choice;
    int tried = 0;
    int compressed = 0;
    for (int segment = 0; segment < 100; ++segment) {
        if (!choice.begins(kChosenBytes, kChosenBlocks, std::nullopt)) {
            continue;
        }
        ++compressed;
        for (std::size_t block = 0; block < kChosenBlocks; ++block) {
            if (choice.tries()) {
                ++tried;
                choice.on_tried(kBlockOfChoice, 0, kMillisecond);
            }
        }
    }
    EXPECT_LE(tried, 70);
    EXPECT_LE(compressed, 70);
    EXPECT_EQ(choice.saved(), 0U);
    // The next compressible block ends that.
    while (!choice.tries()) {
    }
    choice.on_tried(kBlockOfChoice, 1000, kMillisecond);
    EXPECT_TRUE(choice.tries());
    EXPECT_EQ(choice.saved(), 1000U);
}

} // namespace
} // namespace thru
