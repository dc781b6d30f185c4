// Trials measure how connections share one simulated bottleneck.
#include "sim/shared_trial.h"

#include <gtest/gtest.h>

namespace thru {
namespace {

using sim::measure;
using sim::SharedTrial;

TEST(SharedTrial, ConnectionsOfOneKindGetSimilarParts) {
    for (const auto kind : {CongestionControl::Cubic, CongestionControl::Bbr}) {
        const auto figures = measure(
            SharedTrial{.link = sim::link_of(20, 40), .flows = {{kind}, {kind}}, .seconds = 20});
        EXPECT_GT(figures.fairness, 0.85);
        EXPECT_GT(figures.used, 0.9);
        EXPECT_LE(figures.used, 1.0);
        EXPECT_GT(figures.added_delay, 0.1);
        EXPECT_LT(figures.added_delay, 1.1);
    }
}

TEST(SharedTrial, WhoIsNotThereGetsNothing) {
    const auto figures = measure(SharedTrial{.link = sim::link_of(20, 40),
                                             .flows = {{.begins = 4}, {.ends = 2}},
                                             .seconds = 6,
                                             .measured_from = 3});
    ASSERT_EQ(figures.shares.size(), 2U);
    EXPECT_EQ(figures.shares[0], 1.0);
    EXPECT_EQ(figures.shares[1], 0.0);
    EXPECT_GT(figures.used, 0.5);
    EXPECT_LT(figures.used, 0.7);
}

} // namespace
} // namespace thru
