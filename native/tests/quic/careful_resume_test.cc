// Connections that begin at the rate of an earlier one (RFC 9959), with our patches of ngtcp2.
#include <gtest/gtest.h>
#include <ngtcp2/ngtcp2.h>

#include "sim/bulk_line.h"
#include "sim/bulk_trial.h"
#include "sim/shared_trial.h"

namespace thru {
namespace {

using sim::BulkTrial;
using sim::measure;
using sim::SharedTrial;

class CarefulResumeTest : public testing::Test {
protected:
    void SetUp() override {
#ifndef NGTCP2_PATCHED_BY_THRUFLUX
        GTEST_SKIP() << "this ngtcp2 comes from elsewhere, without our patches";
#endif
    }
};

SavedPath saved_path_of(double round_trip_ms, double megabits) {
    return {.window = static_cast<std::uint64_t>(megabits * 125 * round_trip_ms),
            .round_trip = static_cast<Timestamp>(round_trip_ms * 1e6)};
}

/// A path of 100 ms with a queue of one bandwidth-delay product.
BulkTrial resumable_trial() { return {.link = sim::link_of(100, 100), .seconds = 4}; }

TEST_F(CarefulResumeTest, TheSecondConnectionReachesTheRateInAFewRoundTrips) {
    for (const auto &[round_trip, megabits] : {std::pair{160.0, 700.0}, {300.0, 200.0}}) {
        BulkTrial trial{.link = sim::link_of(round_trip, megabits), .seconds = 3.2};
        trial.saved = saved_path_of(round_trip, megabits);
        const auto figures = measure(trial);
        EXPECT_EQ(figures.careful_resume, CarefulResume::Jumped) << megabits;
        EXPECT_GT(figures.seconds_to_rate, 0) << megabits;
        // The handshake takes one and a half, the acknowledgement of the first data another one.
        EXPECT_LT(figures.seconds_to_rate, 6 * round_trip / 1000) << megabits;
        EXPECT_LT(figures.again, 0.1) << megabits;
    }
}

TEST_F(CarefulResumeTest, AConnectionMeasuresItsPath) {
    const auto figures = measure(resumable_trial());
    const auto path = saved_path_of(100, 100);
    EXPECT_EQ(figures.careful_resume, CarefulResume::None);
    ASSERT_TRUE(figures.measured);
    EXPECT_NEAR(static_cast<double>(figures.measured->window), static_cast<double>(path.window),
                0.1 * static_cast<double>(path.window));
    EXPECT_NEAR(static_cast<double>(figures.measured->round_trip),
                static_cast<double>(path.round_trip), 1e6);

    auto trial = resumable_trial();
    trial.seconds = 0.4;
    EXPECT_FALSE(measure(trial).measured) << "the start has not ended";
    trial = resumable_trial();
    trial.congestion_control = CongestionControl::Cubic;
    EXPECT_FALSE(measure(trial).measured);
    trial = resumable_trial();
    trial.link.loss = 0.1;
    EXPECT_FALSE(measure(trial).measured) << "a jump could not tell its loss from congestion";
}

TEST_F(CarefulResumeTest, APathThatBecameTenTimesSlowerIsLeftAlone) {
    BulkTrial trial{.link = sim::link_of(100, 10), .seconds = 8};
    const auto lost = [&](const sim::BulkFigures &figures) {
        return figures.again * figures.share * trial.link.rate * sim::kPayloadShare * trial.seconds;
    };
    const auto plain = measure(trial);
    trial.saved = saved_path_of(100, 100);
    const auto figures = measure(trial);
    EXPECT_EQ(figures.careful_resume, CarefulResume::Retreated);
    EXPECT_GT(figures.share, 0.98 * plain.share);
    EXPECT_GT(figures.steady, 0.85);
    EXPECT_LT(lost(figures) - lost(plain), static_cast<double>(trial.saved->window) / 2);
    ASSERT_TRUE(figures.measured);
    EXPECT_LT(figures.measured->window, trial.saved->window / 5) << "the next one jumps less";
}

TEST_F(CarefulResumeTest, AnotherRoundTripIsAnotherPath) {
    for (const double round_trip : {9.0, 210.0}) {
        auto trial = resumable_trial();
        trial.seconds = 1;
        trial.saved = saved_path_of(round_trip, 2000);
        EXPECT_EQ(measure(trial).careful_resume, CarefulResume::None) << round_trip;
    }
    for (const double round_trip : {50.0, 190.0}) {
        auto trial = resumable_trial();
        trial.seconds = 1;
        trial.saved = saved_path_of(round_trip, 100);
        EXPECT_EQ(measure(trial).careful_resume, CarefulResume::Jumped) << round_trip;
    }
}

TEST_F(CarefulResumeTest, LossBeforeTheJumpForbidsIt) {
    for (const std::uint32_t seed : {1, 2, 3}) {
        auto trial = resumable_trial();
        trial.seconds = 2;
        trial.link.loss = 0.4;
        trial.link.seed = seed;
        trial.saved = saved_path_of(100, 100);
        EXPECT_EQ(measure(trial).careful_resume, CarefulResume::None) << seed;
    }
}

TEST_F(CarefulResumeTest, AJumpWaitsForData) {
    sim::BulkSender sender;
    sim::CountingReceiver receiver;
    sim::Pair pair(sim::link_of(100, 100), sender, receiver);
    sender.connection = &pair.sender();
    receiver.connection = &pair.receiver();
    ASSERT_TRUE(pair.run_until([&] { return pair.sender().established(); }));
    pair.sender().use_saved_path(saved_path_of(100, 100));
    pair.run_until([] { return false; }, 2);
    const auto state = [&] { return pair.sender().statistics(pair.now()).careful_resume; };
    EXPECT_EQ(state(), CarefulResume::Pending);
    pair.run_until(
        [&] {
            sender.pump();
            return false;
        },
        1);
    EXPECT_EQ(state(), CarefulResume::Jumped);
}

/// A connection that already fills the link is disturbed no more than by a start without a jump.
TEST_F(CarefulResumeTest, AJumpTakesNothingFromOthersThatAStartLeaves) {
    SharedTrial trial{.link = sim::link_of(100, 40),
                      .flows = {{}, {.begins = 8}},
                      .seconds = 20,
                      .measured_from = 8};
    const auto plain = measure(trial);
    trial.flows[1].saved = saved_path_of(100, 40);
    const auto resumed = measure(trial);
    EXPECT_GT(resumed.rates[0], 0.8 * plain.rates[0]);
    EXPECT_GT(resumed.fairness, plain.fairness - 0.02);
    EXPECT_LT(resumed.again[0], plain.again[0] + 0.02);
}

} // namespace
} // namespace thru
