// Estimates of a path's bandwidth-delay product, and windows that follow them.
#include "quic/bdp_estimator.h"

#include <gtest/gtest.h>

#include "sim/bulk_trial.h"

namespace thru {
namespace {

constexpr std::uint64_t kMebibyte = 1 << 20;

TEST(BdpEstimator, IsWhatComesWithinOneLeastRoundTrip) {
    BdpEstimator bdp;
    EXPECT_EQ(bdp.bytes(), 0U);
    for (std::uint64_t tick = 0; tick < 100; ++tick) {
        bdp.observe(kSecond + tick * 50 * kMillisecond, tick * 5'000'000, 200 * kMillisecond);
    }
    EXPECT_EQ(bdp.bytes(), 20'000'000U) << "100 MB/s";
    bdp.observe(20 * kSecond, 500'000'000, 200 * kMillisecond);
    EXPECT_EQ(bdp.bytes(), 20'000'000U) << "an idle path holds no less";
}

TEST(BdpEstimator, ABurstOnAShortPathIsNoRate) {
    BdpEstimator bdp;
    bdp.observe(kSecond, 0, 100 * kMicrosecond);
    bdp.observe(kSecond + kMicrosecond, 1'000'000, 100 * kMicrosecond);
    EXPECT_EQ(bdp.bytes(), 0U);
    bdp.observe(kSecond + 10 * kMillisecond, 1'000'000, 100 * kMicrosecond);
    EXPECT_EQ(bdp.bytes(), 10'000U);
}

TEST(BdpEstimator, ACounterThatFallsIsNoRate) {
    BdpEstimator bdp;
    bdp.observe(kSecond, 1'000, kSecond);
    bdp.observe(10 * kSecond, 10, kSecond);
    EXPECT_EQ(bdp.bytes(), 0U);
}

TEST(BdpEstimator, NeitherEndHoldsUpALongFastPathThatLosesPackets) {
    // 1 Gbit/s at 300 ms, with rates and windows divided by sixteen.
    sim::BulkTrial trial{.link = sim::link_of(300, 1000.0 / 16),
                         .seconds = 14,
                         .window = kConnectionWindow / 16,
                         .max_window = kMaxConnectionWindow / 16};
    trial.link.loss = 0.01;
    const auto figures = sim::measure(trial);
    EXPECT_TRUE(figures.alive);
    EXPECT_GT(figures.steady, 0.85);
    EXPECT_LT(figures.held_up, 0.01);
    EXPECT_GT(figures.receive_window, trial.window);
    EXPECT_LE(figures.receive_window, trial.max_window);
    trial.max_window = trial.window;
    EXPECT_GT(sim::measure(trial).held_up, 0.1) << "what a fixed window did";
}

TEST(BdpEstimator, AShortPathNeedsNoMoreThanAtFirst) {
    const auto figures = sim::measure(sim::BulkTrial{.link = sim::link_of(20, 200), .seconds = 3});
    EXPECT_EQ(figures.receive_window, kConnectionWindow);
    EXPECT_EQ(figures.send_buffer, 48 * kMebibyte);
}

} // namespace
} // namespace thru
