// What congestion control and loss detection make of paths that lose, disorder and change, with our
// patches of ngtcp2.
#include <gtest/gtest.h>
#include <ngtcp2/ngtcp2.h>

#include "sim/bulk_trial.h"

namespace thru {
namespace {

using sim::BulkTrial;
using sim::measure;

/// 40 ms, 80 Mbit/s, a queue of one bandwidth-delay product.
BulkTrial eighty_megabit() {
    return {.link = {.one_way_delay = 20 * kMillisecond, .rate = 10e6, .queue = 400'000},
            .seconds = 8};
}

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
    trial.link.held_most = 30 * kMillisecond;
    const auto figures = measure(trial);
    EXPECT_TRUE(figures.alive);
    EXPECT_GT(figures.steady, 0.85);
    EXPECT_LT(figures.again, 0.12);
}

TEST_F(Congestion, ThePatchesHelpCubicWithOvertakenPackets) {
    auto trial = eighty_megabit();
    trial.congestion_control = CongestionControl::Cubic;
    trial.link.held = 0.02;
    trial.link.held_least = 5 * kMillisecond;
    trial.link.held_most = 30 * kMillisecond;
    const auto figures = measure(trial);
    EXPECT_GT(figures.steady, 0.7);
}

TEST_F(Congestion, LostPacketsAreFoundAmongOvertakenOnes) {
    auto trial = eighty_megabit();
    trial.link.held = 1;
    trial.link.held_most = 20 * kMillisecond;
    trial.link.loss = 0.01;
    const auto figures = measure(trial);
    EXPECT_GT(figures.steady, 0.8);
    EXPECT_LT(figures.again, 0.15);
}

TEST_F(Congestion, RandomLossIsNotTakenForCongestion) {
    auto trial = eighty_megabit();
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

TEST_F(Congestion, AShortQueueIsNotKeptOverflowing) {
    auto trial = eighty_megabit();
    trial.link.queue /= 10;
    const auto figures = measure(trial);
    EXPECT_GT(figures.steady, 0.9);
    EXPECT_LT(figures.again, 0.05);
}

} // namespace
} // namespace thru
