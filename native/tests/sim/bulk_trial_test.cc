// Trials measure the effects of simulated paths on bulk data.
#include "sim/bulk_trial.h"

#include <gtest/gtest.h>

namespace thru {
namespace {

using sim::BulkTrial;
using sim::measure;

BulkTrial short_trial() { return {.link = sim::link_of(40, 40), .seconds = 6}; }

TEST(BulkTrial, ACleanPathIsUsedAndItsQueueStaysShort) {
    const auto figures = measure(short_trial());
    EXPECT_TRUE(figures.alive);
    EXPECT_GT(figures.share, 0.75);
    EXPECT_LE(figures.share, 1.0);
    EXPECT_GT(figures.steady, 0.75);
    EXPECT_LT(figures.again, 0.05);
    EXPECT_LT(figures.added_delay, 1.0);
    EXPECT_GT(figures.seconds_to_rate, 0.0);
    EXPECT_LT(figures.seconds_to_rate, 2.0);
}

TEST(BulkTrial, LostDatagramsAreSentAgain) {
    auto trial = short_trial();
    trial.link.loss = 0.002;
    EXPECT_GT(measure(trial).again, 0.001);
    trial.link.loss = 0;
    trial.link.burst_begins = 0.0002;
    trial.link.burst_length = 10;
    EXPECT_GT(measure(trial).again, 0.001);
}

TEST(BulkTrial, ALowerRateIsFoundAndTheQueueDrains) {
    auto trial = short_trial();
    trial.seconds = 12;
    trial.rate_change = 0.25;
    const auto figures = measure(trial);
    EXPECT_GT(figures.steady, 0.7);
    EXPECT_GT(figures.seconds_to_new_rate, 0.0);
    EXPECT_LT(figures.seconds_to_new_rate, 2.0);
}

TEST(BulkTrial, APolicerDropsAndDelaysNothing) {
    auto trial = short_trial();
    trial.link.queue /= 4;
    trial.link.polices = true;
    const auto figures = measure(trial);
    EXPECT_EQ(figures.added_delay, 0.0);
    EXPECT_GT(figures.again, 0.001);
    EXPECT_GT(figures.steady, 0.5);
}

TEST(BulkTrial, TheSameSeedGivesTheSameRun) {
    BulkTrial trial{.link = sim::link_of(40, 80), .seconds = 8};
    trial.link.loss = 0.05;
    const auto first = sim::measure(trial);
    const auto second = sim::measure(trial);
    EXPECT_EQ(first.steady, second.steady);
    EXPECT_EQ(first.again, second.again);
    trial.link.seed = 2;
    EXPECT_NE(first.again, sim::measure(trial).again);
}

} // namespace
} // namespace thru
