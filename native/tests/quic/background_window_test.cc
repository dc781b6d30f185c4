// Connections that leave room for others: the length of their queue, and their share of the link.
#include "quic/background_window.h"

#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "sim/bulk_trial.h"
#include "sim/shared_trial.h"

namespace thru {
namespace {

using sim::BulkTrial;
using sim::measure;
using sim::SharedTrial;

constexpr Timestamp kRoundTrip = 40 * kMillisecond;

struct BackgroundTransfer : testing::Test {
    /// Lets `time` pass with a round trip of this length every millisecond.
    void pass(Timestamp time, Timestamp round_trip, std::uint64_t in_flight) {
        for (const auto end = now + time; now < end; now += kMillisecond) {
            window.on_sent(std::min(in_flight, window.bytes()));
            window.on_round_trip(now, round_trip);
        }
    }
    BackgroundWindow window;
    Timestamp now = kSecond;
};

TEST_F(BackgroundTransfer, NothingIsTakenAwayWhileThePathIsFree) {
    pass(10 * kSecond, kRoundTrip, 1'000'000);
    EXPECT_EQ(window.bytes(), kUnlimited);
}

TEST_F(BackgroundTransfer, AQueueThatStaysTakesAlmostEverythingWithinASecond) {
    pass(kSecond, kRoundTrip, 1'000'000);
    pass(kSecond, 2 * kRoundTrip, 1'000'000);
    EXPECT_LT(window.bytes(), 100'000U);
    pass(10 * kSecond, 2 * kRoundTrip, 1'000'000);
    EXPECT_GT(window.bytes(), 4'000U) << "enough to notice that others have left";
    EXPECT_LT(window.bytes(), 8'000U);
}

TEST_F(BackgroundTransfer, AQueueThatWasThereBeforeIsNoPartOfThePath) {
    window = BackgroundWindow{kRoundTrip};
    pass(kSecond, 2 * kRoundTrip, 1'000'000);
    EXPECT_LT(window.bytes(), 100'000U);
}

TEST_F(BackgroundTransfer, WhatOthersLeaveIsTakenBack) {
    pass(kSecond, kRoundTrip, 1'000'000);
    pass(5 * kSecond, 2 * kRoundTrip, 1'000'000);
    const auto least = window.bytes();
    pass(3 * kSecond, kRoundTrip, 1'000'000);
    EXPECT_GT(window.bytes(), 50 * least);
}

TEST_F(BackgroundTransfer, WhatIsNotUsedIsNotKept) {
    pass(kSecond, kRoundTrip, 1'000'000);
    pass(kSecond / 4, kRoundTrip + 10 * kMillisecond, 1'000'000);
    ASSERT_GT(window.bytes(), 300'000U);
    pass(5 * kSecond, kRoundTrip, 10'000);
    EXPECT_LT(window.bytes(), 50'000U);
}

TEST_F(BackgroundTransfer, APauseKeepsHalfOfWhatThePathHeld) {
    pass(kSecond, kRoundTrip, 1'000'000);
    pass(kSecond / 4, kRoundTrip + 10 * kMillisecond, 1'000'000);
    const auto before = window.bytes();
    for (const auto end = now + 5 * kSecond; now < end; now += kMillisecond) {
        window.on_sent(10'000, true);
        window.on_round_trip(now, kRoundTrip);
    }
    EXPECT_GT(window.bytes(), before / 3);
    EXPECT_LT(window.bytes(), before);
}

TEST_F(BackgroundTransfer, RoundTripsThatDifferFromOneToTheNextAreNoQueue) {
    pass(kSecond, kRoundTrip, 1'000'000);
    const auto before = window.bytes();
    for (int turn = 0; turn < 1000; ++turn) {
        pass(kMillisecond, kRoundTrip + 7 * kMillisecond, 1'000'000);
        pass(kMillisecond, kRoundTrip + 30 * kMillisecond, 1'000'000);
    }
    EXPECT_EQ(window.bytes(), before);
}

TEST_F(BackgroundTransfer, ALongerRouteIsNotTakenForAQueueForEver) {
    pass(kSecond, kRoundTrip, 1'000'000);
    pass(130 * kSecond, 2 * kRoundTrip, 1'000'000);
    EXPECT_GT(window.bytes(), 500'000U);
}

TEST(LeavingRoom, AnIdleLinkIsUsedWithAShortQueue) {
    for (const auto &[queue, loss] : {std::pair{0.5, 0.0}, {2.0, 0.0}, {1.0, 0.01}}) {
        BulkTrial trial{.link = sim::link_of(40, 40, queue), .seconds = 12, .background = true};
        trial.link.loss = loss;
        const auto figures = measure(trial);
        EXPECT_GT(figures.steady, 0.85) << queue << ' ' << loss;
        EXPECT_LT(figures.added_delay, 0.3) << queue << ' ' << loss;
    }
}

TEST(LeavingRoom, APathThatDelaysEachPacketByAnotherTimeIsUsedAsWithoutIt) {
    std::vector<BulkTrial> trials;
    for (const auto &[round_trip, megabits, most] :
         {std::tuple{10, 10, 5}, {10, 50, 20}, {20, 10, 30}, {20, 50, 30}}) {
        trials.push_back({.link = sim::link_of(round_trip, megabits, 4), .seconds = 10});
        trials.back().link.held = 1;
        trials.back().link.held_max = static_cast<Timestamp>(most) * kMillisecond;
    }
    trials.push_back({.link = sim::link_of(20, 20, 2), .seconds = 10});
    trials.back().link.turn_every = 20 * kMillisecond;
    trials.back().link.turn_max = 30 * kMillisecond;
    for (auto &trial : trials) {
        const auto without = measure(trial).share;
        trial.background = true;
        EXPECT_GT(measure(trial).share, 0.7 * without) << &trial - trials.data();
    }
}

/// In 24 single runs the share was 0.39 to 0.77 of the link.
TEST(LeavingRoom, AThirdIsLeftWhereDelaysOfFewPacketsChangeByThreeRoundTrips) {
    BulkTrial trial{.link = sim::link_of(10, 10, 4), .seconds = 10};
    trial.link.held = 1;
    trial.link.held_max = 30 * kMillisecond;
    double without = 0;
    double leaving = 0;
    for (const std::uint32_t seed : {1, 2, 3, 4}) {
        trial.link.seed = seed;
        trial.background = false;
        without += measure(trial).share;
        trial.background = true;
        leaving += measure(trial).share;
    }
    EXPECT_GT(leaving, without / 3);
}

TEST(LeavingRoom, AQueueOfItsOwnFromBeforeIsGivenUp) {
    const auto figures = measure(BulkTrial{.link = sim::link_of(40, 40, 2),
                                           .seconds = 16,
                                           .congestion_control = CongestionControl::Cubic,
                                           .background_later = true});
    EXPECT_GT(figures.steady, 0.85);
    EXPECT_LT(figures.added_delay, 0.4);
}

TEST(LeavingRoom, APauseCostsNoSecondsAfterIt) {
    // The pause makes keep-alives measure round trips with nothing in flight.
    const auto figures = measure(BulkTrial{
        .link = sim::link_of(100, 30, 1), .seconds = 170, .background = true, .pause = 80});
    EXPECT_GT(figures.seconds_to_new_rate, 0);
    EXPECT_LT(figures.seconds_to_new_rate, 1.5);
    EXPECT_LT(figures.again, 0.01);
}

TEST(LeavingRoom, OthersGetTheLink) {
    for (const auto other : {CongestionControl::Cubic, CongestionControl::Bbr}) {
        for (const double begins : {0.0, 4.0}) {
            const auto figures =
                measure(SharedTrial{.link = sim::link_of(20, 20, 2),
                                    .flows = {{.begins = begins, .background = true}, {other}},
                                    .seconds = 30,
                                    .measured_from = 5});
            EXPECT_LT(figures.shares[0], 0.2) << static_cast<int>(other) << ' ' << begins;
            EXPECT_GT(figures.used, 0.85);
        }
    }
}

/// CUBIC alone leaves much of the link unused with such a short queue, so BBR tests the room.
TEST(LeavingRoom, OthersNeedNoLongQueueForIt) {
    double leaving = 0;
    double usual = 0;
    for (const std::uint32_t seed : {1, 2, 3, 4}) {
        SharedTrial trial{.link = sim::link_of(100, 25, 0.25),
                          .flows = {{.background = true}, {CongestionControl::Cubic}},
                          .seconds = 34,
                          .measured_from = 20};
        trial.link.seed = seed;
        const auto figures = measure(trial);
        EXPECT_GT(figures.used, 0.85) << seed;
        leaving += figures.shares[0];
        trial.flows[0].background = false;
        usual += measure(trial).shares[0];
    }
    EXPECT_LT(leaving, 0.9 * usual);
}

TEST(LeavingRoom, TheLinkIsTakenBackWhenOthersHaveLeft) {
    const auto figures =
        measure(SharedTrial{.link = sim::link_of(20, 20, 2),
                            .flows = {{.background = true}, {CongestionControl::Cubic, 0, 8}},
                            .seconds = 20,
                            .measured_from = 12});
    EXPECT_GT(figures.used, 0.85);
}

} // namespace
} // namespace thru
