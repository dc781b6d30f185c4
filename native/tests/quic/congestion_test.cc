// Congestion control and loss detection on difficult paths, with our patches of ngtcp2.
#include <gtest/gtest.h>
#include <ngtcp2/ngtcp2.h>

#include <algorithm>
#include <tuple>

#include "sim/bulk_line.h"
#include "sim/bulk_trial.h"
#include "sim/shared_trial.h"

namespace thru {
namespace {

using sim::BulkLine;
using sim::BulkTrial;
using sim::measure;
using sim::SharedTrial;

BulkTrial eighty_megabit() { return {.link = sim::link_of(40, 80), .seconds = 8}; }

class Congestion : public testing::Test {
protected:
    void SetUp() override {
#ifndef NGTCP2_PATCHED_BY_THRUFLUX
        GTEST_SKIP() << "this ngtcp2 comes from elsewhere, without our patches";
#endif
    }
};

TEST_F(Congestion, OvertakenPacketsAreNotTakenForLost) {
    auto trial = eighty_megabit();
    trial.link.held = 1;
    trial.link.held_max = 30 * kMillisecond;
    const auto figures = measure(trial);
    EXPECT_TRUE(figures.alive);
    EXPECT_GT(figures.steady, 0.85);
    EXPECT_LT(figures.again, 0.12);
}

TEST_F(Congestion, ThePatchesHelpCubicWithOvertakenPackets) {
    auto trial = eighty_megabit();
    trial.congestion_control = CongestionControl::Cubic;
    trial.link.held = 0.02;
    trial.link.held_min = 5 * kMillisecond;
    trial.link.held_max = 30 * kMillisecond;
    const auto figures = measure(trial);
    EXPECT_GT(figures.steady, 0.7);
}

TEST_F(Congestion, LostPacketsAreFoundAmongOvertakenOnes) {
    auto trial = eighty_megabit();
    trial.link.held = 1;
    trial.link.held_max = 20 * kMillisecond;
    trial.link.loss = 0.01;
    const auto figures = measure(trial);
    EXPECT_GT(figures.steady, 0.8);
    EXPECT_LT(figures.again, 0.15);
}

/// A path with a queue of 40 ms, which delays each packet by up to `swing` ms each way.
BulkTrial swinging(double round_trip, double swing, double megabits) {
    BulkTrial trial{.link = sim::link_of(round_trip, megabits), .seconds = 6};
    trial.link.queue = static_cast<std::size_t>(trial.link.rate * 0.04);
    trial.link.held = 1;
    trial.link.held_max = static_cast<Timestamp>(swing * 1e6);
    return trial;
}

TEST_F(Congestion, DelaysThatSwingFromNothingLeaveTheRate) {
    // The minimum round trip is a tenth of a millisecond, which is a window of a few packets.
    for (const auto &[round_trip, swing, megabits] : {std::tuple{0.0, 57.0, 80.0},
                                                      {20.0, 60.0, 40.0},
                                                      {0.0, 120.0, 40.0},
                                                      {40.0, 120.0, 20.0}}) {
        for (const std::uint32_t seed : {1, 2}) {
            auto trial = swinging(round_trip, swing, megabits);
            trial.link.seed = seed;
            const auto figures = measure(trial);
            EXPECT_GT(figures.share, 0.6) << swing << " ms, " << megabits << " Mbit/s, " << seed;
            EXPECT_LT(figures.again, 0.2) << swing << " ms, " << megabits << " Mbit/s, " << seed;
        }
    }
}

/// A radio path: the round trip moves between 10 and 130 ms within 10 ms, without reordering.
TEST_F(Congestion, ADelayThatMovesIsNoQueue) {
    for (const std::uint32_t seed : {1, 2, 3, 4}) {
        auto trial = swinging(10, 0, 80);
        trial.link.wander_max = 60 * kMillisecond;
        trial.link.seed = seed;
        const auto figures = measure(trial);
        EXPECT_GT(figures.share, 0.6) << seed;
        EXPECT_LT(figures.again, 0.2) << seed;
    }
}

/// The reordered packets then need more ranges than an ACK frame holds.
TEST_F(Congestion, LatePacketsAreAcknowledgedBehindHundredsOfGaps) {
    auto trial = swinging(0, 120, 300);
    trial.seconds = 4;
    const auto figures = measure(trial);
    EXPECT_GT(figures.steady, 0.85);
    EXPECT_LT(figures.again, 0.2);
}

/// Dozens of late packets are declared lost, which ends the startup; they arrive after the drain.
TEST_F(Congestion, AStartThatLatePacketsEndedGoesOn) {
    auto trial = swinging(0, 120, 300);
    trial.seconds = 3;
    trial.link.seed = 3;
    EXPECT_GT(measure(trial).share, 0.3);
}

TEST_F(Congestion, RandomLossIsNotTakenForCongestion) {
    auto trial = eighty_megabit();
    // The last quarter holds more than one probe: until the next one, chance may keep the rate low.
    trial.seconds = 24;
    for (const auto &[loss, least] : {std::pair{0.01, 0.9}, {0.05, 0.75}, {0.1, 0.5}}) {
        trial.link.loss = loss;
        const auto figures = measure(trial);
        EXPECT_GT(figures.steady, least) << loss;
        EXPECT_LT(figures.again, loss + 0.05) << loss;
    }
}

TEST_F(Congestion, TheRateIsKeptBetweenProbes) {
    auto trial = eighty_megabit();
    trial.seconds = 16;
    const auto figures = measure(trial);
    EXPECT_GT(figures.steady, 0.95);
    EXPECT_LT(figures.added_delay, 0.5);
}

TEST_F(Congestion, ARateThatFellToATenthIsNotExceededForLong) {
    auto trial = eighty_megabit();
    trial.seconds = 24;
    trial.rate_change = 0.1;
    const auto figures = measure(trial);
    EXPECT_GT(figures.steady, 0.7);
    EXPECT_LT(figures.again, 0.1);
}

/// Received data over `seconds`, divided by the maximum of a link with this rate.
double goodput(BulkLine &line, double seconds, double megabits) {
    const auto before = line.receiver.received;
    line.run(seconds);
    return static_cast<double>(line.receiver.received - before) /
           (megabits * 125'000 * seconds * sim::kPayloadShare);
}

// NET-22
TEST_F(Congestion, ARateThatFallsFarAndReturnsIsFollowedWithinTenSeconds) {
    // At the new rate, data in flight at the fall takes up to ten seconds.
    constexpr double kUsual = 100;
    for (const auto &[round_trip, low] : {std::pair{10.0, 1.0}, {40.0, 1.0}, {100.0, 2.0}}) {
        BulkLine line(sim::link_of(round_trip, kUsual));
        auto &link = line.pair.to_receiver();
        link.set_rate(low * 125'000);
        line.run(10);
        Timestamp longest_wait = 0;
        double least = 1;
        for (int second = 10; second < 15; ++second) {
            least = std::min(least, goodput(line, 1, low));
            longest_wait = std::max(longest_wait, link.waiting());
        }
        EXPECT_GT(least, 0.8) << low;
        EXPECT_LT(longest_wait, kSecond / 2) << low;

        link.set_rate(kUsual * 125'000);
        bool is_followed = false;
        for (int half = 0; half < 20 && !is_followed; ++half) {
            is_followed = goodput(line, 0.5, kUsual) > 0.9;
        }
        EXPECT_TRUE(is_followed) << low;
    }
}

TEST_F(Congestion, APauseAfterABurstIsNoFallOfTheRate) {
    constexpr double kUsual = 100;
    // The queue holds far more than the path.
    BulkLine line(sim::link_of(40, kUsual, 8));
    for (int pause = 0; pause < 3; ++pause) {
        line.run(0.3);
        line.pair.run_until([] { return false; }, 3);
    }
    line.run(0.5);
    EXPECT_GT(goodput(line, 1, kUsual), 0.8);
}

TEST_F(Congestion, AShortQueueIsNotKeptOverflowing) {
    auto trial = eighty_megabit();
    trial.link.queue /= 10;
    const auto figures = measure(trial);
    EXPECT_GT(figures.steady, 0.9);
    EXPECT_LT(figures.again, 0.05);
}

TEST_F(Congestion, AStartOverflowsNoQueueOfOneBandwidthDelayProduct) {
    auto trial = eighty_megabit();
    trial.seconds = 4;
    const auto figures = measure(trial);
    EXPECT_GT(figures.seconds_to_rate, 0);
    EXPECT_LT(figures.seconds_to_rate, 1);
    EXPECT_LT(figures.again, 0.01);
}

TEST_F(Congestion, ALossOfAFifthLeavesHalfOfTheRate) {
    auto trial = eighty_megabit();
    trial.seconds = 16;
    trial.link.loss = 0.2;
    EXPECT_GT(measure(trial).steady, 0.5);
}

TEST_F(Congestion, ASlowRoundOfManyEndsNoStartWhoseLossIsRandom) {
    BulkTrial trial{.link = sim::link_of(100, 200), .seconds = 16};
    trial.link.loss = 0.2;
    trial.link.seed = 9;
    EXPECT_GT(measure(trial).share, 0.2);
}

TEST_F(Congestion, APolicerIsNotOverrun) {
    auto trial = eighty_megabit();
    trial.seconds = 16;
    trial.link.queue /= 4;
    trial.link.polices = true;
    const auto figures = measure(trial);
    EXPECT_GT(figures.steady, 0.85);
    EXPECT_LT(figures.again, 0.07);
}

TEST_F(Congestion, ATenfoldRateIsFoundByTheNextProbe) {
    auto trial = eighty_megabit();
    trial.link = sim::link_of(40, 8, 10);
    trial.rate_change = 10;
    trial.seconds = 12;
    const auto figures = measure(trial);
    EXPECT_GT(figures.seconds_to_new_rate, 0);
    // A probe begins 2 to 3 s after the last one.
    EXPECT_LT(figures.seconds_to_new_rate, 4);
}

TEST_F(Congestion, TwoConnectionsShareALinkEqually) {
    for (const auto queue : {0.5, 2.0}) {
        const auto figures = measure(
            SharedTrial{.link = sim::link_of(20, 40, queue), .flows = {{}, {}}, .seconds = 30});
        EXPECT_GT(figures.fairness, 0.9) << queue;
        EXPECT_GT(figures.used, 0.9) << queue;
    }
}

// NET-23
TEST_F(Congestion, BbrAndCubicLeaveEachOtherAFifthOfALinkInAMinute) {
    // BBR dominates in the shorter queue, CUBIC in the longer one.
    for (const auto queue : {1.0, 4.0}) {
        const auto figures =
            measure(SharedTrial{.link = sim::link_of(20, 20, queue),
                                .flows = {{CongestionControl::Bbr}, {CongestionControl::Cubic}},
                                .seconds = 60});
        // Without a measure of random loss, CUBIC got 6%.
        EXPECT_GT(figures.shares[0] * figures.used, 0.2) << queue;
        EXPECT_GT(figures.shares[1] * figures.used, 0.2) << queue;
    }
}

} // namespace
} // namespace thru
