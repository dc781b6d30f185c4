#include "link/early_data.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace thru {
namespace {

constexpr auto kNoReset = [](StreamId) { FAIL(); };

TEST(EarlyData, SinglesOfManyStreamsAreKeptTogether) {
    constexpr std::size_t kStreams = 4;
    EarlyData early;
    for (std::size_t number = 0; number < EarlyData::kMaxBytes; ++number) {
        const auto byte = static_cast<std::uint8_t>(number / kStreams);
        ASSERT_TRUE(early.add(static_cast<StreamId>(number % kStreams), {&byte, 1}, false));
    }
    const std::uint8_t more = 0;
    EXPECT_FALSE(early.add(0, {&more, 1}, false));
    EXPECT_TRUE(early.add(1, {}, true));
    StreamId next = 0;
    early.hand_on(
        [&](StreamId stream, ByteView bytes, bool fin) {
            EXPECT_EQ(stream, next++);
            EXPECT_EQ(fin, stream == 1);
            ASSERT_EQ(bytes.size(), EarlyData::kMaxBytes / kStreams);
            EXPECT_EQ(bytes[0], 0);
            EXPECT_EQ(bytes[1], 1);
            EXPECT_EQ(bytes.back(), 0xff);
        },
        kNoReset);
    EXPECT_EQ(next, StreamId{kStreams});
    early.hand_on([](StreamId, ByteView, bool) { FAIL(); }, kNoReset);
}

TEST(EarlyData, AStreamThatBroughtNothingIsNoStream) {
    EarlyData early;
    EXPECT_TRUE(early.add(3, {}, false));
    early.hand_on([](StreamId, ByteView, bool) { FAIL(); }, kNoReset);
}

TEST(EarlyData, AResetFollowsTheBytesOfItsStream) {
    EarlyData early;
    const std::uint8_t byte = 1;
    early.reset(3);
    EXPECT_TRUE(early.add(7, {&byte, 1}, false));
    early.reset(7);
    std::vector<std::string> heard;
    early.hand_on([&](StreamId stream, ByteView,
                      bool) { heard.push_back("data of " + std::to_string(stream)); },
                  [&](StreamId stream) { heard.push_back("reset of " + std::to_string(stream)); });
    EXPECT_EQ(heard, (std::vector<std::string>{"reset of 3", "data of 7", "reset of 7"}));
}

} // namespace
} // namespace thru
