#include "path/segment_loss.h"

#include <gtest/gtest.h>

namespace thru {
namespace {

/// A connection that repeats some of its segments.
struct Stream {
    bool sends(std::uint64_t segments, std::uint64_t repeated, std::uint64_t periods = 1) {
        total.sent += segments;
        total.repeated += repeated;
        return loss.is_too_much(total, periods);
    }
    TcpFigures total;
    SegmentLoss loss;
};

TEST(SegmentLoss, OfOnePercentIsTooMuchAfterSixHundredSegments) {
    Stream stream;
    for (int segments = 100; segments < 600; segments += 100) {
        ASSERT_FALSE(stream.sends(100, 1)) << segments;
    }
    EXPECT_TRUE(stream.sends(100, 1));
}

TEST(SegmentLoss, OfOnePercentIsTooMuchForABusyProgramThatLooksSeldom) {
    Stream stream;
    for (int look = 1; look < 8; ++look) {
        ASSERT_FALSE(stream.sends(1000, 10, 20)) << look;
    }
    EXPECT_TRUE(stream.sends(1000, 10, 20));
}

TEST(SegmentLoss, OfAPauseIsNotTooMuch) {
    Stream stream;
    EXPECT_FALSE(stream.sends(300, 300, 60));
    EXPECT_FALSE(stream.sends(100, 100, 1));
}

TEST(SegmentLoss, OfAQuarterPercentIsNeverTooMuch) {
    Stream stream;
    for (int loss = 0; loss < 1000; ++loss) {
        ASSERT_FALSE(stream.sends(100, 1));
        ASSERT_FALSE(stream.sends(300, 0));
    }
}

TEST(SegmentLoss, OfAQueueThatOverflowsNowAndThenIsNotTooMuch) {
    Stream stream;
    for (int overflow = 0; overflow < 100; ++overflow) {
        for (int burst = 0; burst < 3; ++burst) {
            ASSERT_FALSE(stream.sends(100, 90));
        }
        ASSERT_FALSE(stream.sends(1000, 0));
    }
}

TEST(SegmentLoss, AtARateThatHardlyFeelsItIsNotTooMuch) {
    Stream stream;
    for (int period = 0; period < 1000; ++period) {
        ASSERT_FALSE(stream.sends(500, 5));
    }
}

} // namespace
} // namespace thru
