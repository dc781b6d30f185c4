// Trials of a direct path beside a relay, in virtual time: rates that a test makes up, and two
// connections over lines of two rates.
#include "link/path_trial.h"

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "sim/bulk_line.h"

namespace thru {
namespace {

using Path = PathTrial::Path;
constexpr std::uint64_t kForEver = std::numeric_limits<std::uint64_t>::max();

/// A receiver whose data comes at a rate for each path, and who moves as the trial wishes.
struct Course {
    /// Bytes a second.
    double relay = 1e6;
    double direct = 1e6;
    std::uint64_t awaited = kForEver;
    /// The receiver waits for its network alone.
    bool waits = true;
    /// A path that is wanted answers.
    bool answers = true;
    Timestamp now = 100 * kSecond;
    Timestamp waited = 0;
    double relay_bytes = 0;
    double direct_bytes = 0;
    Path used = Path::Relay;
    /// All after the first.
    std::vector<Path> moves;
    PathTrial trial;

    Course() { trial.on_move(Path::Relay, arrivals()); }

    Arrivals arrivals() const {
        const auto bytes = used == Path::Relay ? relay_bytes : direct_bytes;
        return {.now = now,
                .bytes = static_cast<std::uint64_t>(bytes),
                .waited = waited,
                .round_trip = 100 * kMillisecond};
    }
    void move(Path path) {
        used = path;
        trial.on_move(path, arrivals());
    }
    void run(double seconds) {
        constexpr double kTurn = 0.02;
        for (double passed = 0; passed < seconds; passed += kTurn) {
            now += static_cast<Timestamp>(kTurn * 1e9);
            waited += waits ? static_cast<Timestamp>(kTurn * 1e9) : 0;
            (used == Path::Relay ? relay_bytes : direct_bytes) +=
                kTurn * (used == Path::Relay ? relay : direct);
            trial.update(arrivals(), awaited);
            if (const auto wanted = trial.wanted(); wanted && answers) {
                moves.push_back(*wanted);
                move(*wanted);
            }
        }
    }
};

TEST(PathTrial, KeepsADirectPathThatCarriesAsMuchOrHardlyLess) {
    for (const double direct : {10e6, 1e6, 0.85e6}) {
        Course course;
        course.direct = direct;
        course.run(10);
        course.move(Path::Direct);
        EXPECT_TRUE(course.trial.under_way());
        course.run(3);
        EXPECT_FALSE(course.trial.under_way()) << direct;
        course.run(100);
        EXPECT_TRUE(course.moves.empty()) << direct;
    }
}

TEST(PathTrial, GoesBackToARelayThatCarriesMoreAndStaysThere) {
    for (const double direct : {0.7e6, 0.1e6, 8e3}) {
        Course course;
        course.direct = direct;
        course.run(10);
        course.move(Path::Direct);
        course.run(10);
        EXPECT_EQ(course.moves, std::vector{Path::Relay}) << direct;
        EXPECT_TRUE(course.trial.relay_won());
        EXPECT_FALSE(course.trial.under_way());
        course.run(100);
        EXPECT_EQ(course.moves.size(), 1U);
    }
}

TEST(PathTrial, KeepsTheDirectPathWhenBothHaveBecomeSlowerMeanwhile) {
    Course course;
    course.relay = 10e6;
    course.run(10);
    course.move(Path::Direct);
    course.relay = 1e6;
    course.run(100);
    EXPECT_EQ(course.moves, (std::vector{Path::Relay, Path::Direct}));
    EXPECT_FALSE(course.trial.relay_won());
    EXPECT_FALSE(course.trial.under_way());
}

TEST(PathTrial, WaitsWithTheMoveUntilTheRelaysRateGrowsNoMoreButNotForLong) {
    Course course;
    course.relay = 1e4;
    for (int round = 0; round < 8; ++round) {
        course.run(0.5);
        course.relay *= 2;
    }
    const auto found = course.now;
    EXPECT_FALSE(course.trial.may_begin(found, course.now));
    EXPECT_TRUE(course.trial.may_begin(found, found + PathTrial::kMaxHold));
    course.run(4);
    EXPECT_TRUE(course.trial.may_begin(course.now, course.now));
}

TEST(PathTrial, WaitsForNothingWhereNothingComes) {
    Course course;
    course.relay = 0;
    course.run(5);
    EXPECT_TRUE(course.trial.may_begin(course.now, course.now));
}

TEST(PathTrial, GivesADirectPathTheTimeThatItsCongestionControlNeeds) {
    Course course;
    course.run(10);
    course.direct = 0.01e6;
    course.move(Path::Direct);
    while (course.direct < 1e6) {
        course.run(0.5);
        course.direct *= 1.6;
    }
    course.run(20);
    EXPECT_TRUE(course.moves.empty());
    EXPECT_FALSE(course.trial.under_way());
}

TEST(PathTrial, LooksAtARelayThatWasNeverMeasuredWhenMuchIsStillToCome) {
    for (const bool relay_is_faster : {false, true}) {
        Course course;
        course.relay = 0;
        course.direct = 0;
        course.awaited = 0;
        course.run(5);
        course.move(Path::Direct);
        course.run(20);
        course.relay = relay_is_faster ? 10e6 : 0.9e6;
        course.direct = 1e6;
        course.awaited = kForEver;
        course.run(100);
        EXPECT_EQ(course.moves, relay_is_faster ? std::vector{Path::Relay}
                                                : (std::vector{Path::Relay, Path::Direct}));
        EXPECT_EQ(course.trial.relay_won(), relay_is_faster);
        EXPECT_FALSE(course.trial.under_way());
    }
}

TEST(PathTrial, LooksAtNoRelayForWhatIsSoonOver) {
    Course course;
    course.relay = 0;
    course.awaited = 50'000'000;
    course.run(5);
    course.move(Path::Direct);
    course.relay = 10e6;
    course.run(50);
    EXPECT_TRUE(course.moves.empty());
}

TEST(PathTrial, TakesNoPauseAndNoSlowDiskForASlowPath) {
    Course course;
    course.run(10);
    course.move(Path::Direct);
    course.direct = 0.1e6;
    course.waits = false;
    course.run(30);
    EXPECT_TRUE(course.moves.empty());
    EXPECT_TRUE(course.trial.under_way());
    course.direct = 1e6;
    course.waits = true;
    course.run(5);
    EXPECT_TRUE(course.moves.empty());
    EXPECT_FALSE(course.trial.under_way());
}

TEST(PathTrial, EndsWithTheDirectPathWhenNothingComesForAMinute) {
    Course course;
    course.run(10);
    course.direct = 0;
    course.move(Path::Direct);
    course.run(59);
    EXPECT_TRUE(course.trial.under_way());
    course.run(2);
    EXPECT_FALSE(course.trial.under_way());
    EXPECT_TRUE(course.moves.empty());
}

TEST(PathTrial, EndsWithTheRelayThatSeemedFasterWhenNothingMoreComes) {
    Course course;
    course.direct = 0.1e6;
    course.run(10);
    course.move(Path::Direct);
    while (course.moves.empty()) {
        course.run(0.02);
    }
    course.relay = 0;
    course.run(61);
    EXPECT_FALSE(course.trial.under_way());
    EXPECT_TRUE(course.trial.relay_won());
}

TEST(PathTrial, EndsWhereTheOtherPathDoesNotAnswer) {
    Course course;
    course.direct = 0.1e6;
    course.answers = false;
    course.run(10);
    course.move(Path::Direct);
    course.run(20);
    EXPECT_FALSE(course.trial.under_way());
    EXPECT_FALSE(course.trial.wanted());
    EXPECT_FALSE(course.trial.relay_won());
}

TEST(PathTrial, BeginsAnewWithTheNextDirectPath) {
    Course course;
    course.direct = 0.1e6;
    course.run(10);
    course.move(Path::Direct);
    course.run(20);
    ASSERT_TRUE(course.trial.relay_won());
    course.run(20);
    course.direct = 2e6;
    course.move(Path::Direct);
    EXPECT_FALSE(course.trial.relay_won());
    course.run(20);
    EXPECT_EQ(course.moves, std::vector{Path::Relay});
    EXPECT_FALSE(course.trial.under_way());
}

TEST(PathTrial, EndsAfterTwoMovesAtMostHoweverRatesChange) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> rate(0, 2e6);
    for (int round = 0; round < 200; ++round) {
        Course course;
        course.run(5);
        course.move(Path::Direct);
        for (int change = 0; change < 250; ++change) {
            course.relay = rate(random);
            course.direct = rate(random);
            course.run(0.7);
        }
        EXPECT_LE(course.moves.size(), 2U);
        EXPECT_FALSE(course.trial.under_way());
    }
}

/// Two connections between which there is a relay and a direct line, moved by a trial.
struct TrialLine : sim::BulkLine {
    TrialLine(const sim::LinkConfig &relay, const sim::LinkConfig &beside)
        : BulkLine({}, relay.one_way_delay), direct(pair.add_line(beside)) {
        pair.to_receiver().set_rate(relay.rate);
        trial.on_move(Path::Relay, arrivals());
    }
    Arrivals arrivals() {
        auto &connection = pair.receiver();
        const auto statistics = connection.statistics(pair.now());
        return {.now = pair.now(),
                .bytes = by_path.at(used),
                .waited = pair.now(),
                .round_trip = statistics.smoothed_rtt};
    }
    /// Lets the relay alone carry data for `seconds`, then finds the other line. Seconds from then
    /// on until the first move.
    double begin(double seconds) {
        for (double passed = 0; passed < seconds; passed += 0.01) {
            turn();
        }
        const auto found_at = pair.now();
        while (!trial.may_begin(found_at, pair.now())) {
            turn();
        }
        EXPECT_TRUE(pair.receiver().move_to(1, pair.now()));
        while (used == 0) {
            turn();
        }
        return static_cast<double>(pair.now() - found_at) / 1e9;
    }
    /// Seconds until the trial was over.
    double finish() {
        const auto begun_at = pair.now();
        while (trial.under_way() && pair.now() < begun_at + 100 * kSecond) {
            turn();
        }
        return static_cast<double>(pair.now() - begun_at) / 1e9;
    }
    void turn() {
        const auto before = receiver.received;
        run(0.01);
        const auto way = pair.receiver().way().local;
        by_path.at(way) += receiver.received - before;
        gap = receiver.received > before ? 0 : gap + 0.01;
        longest_gap = std::max(longest_gap, gap);
        if (way != used) {
            used = way;
            ++moves;
            trial.on_move(way == 0 ? Path::Relay : Path::Direct, arrivals());
        }
        trial.update(arrivals(), kForEver);
        if (const auto wanted = trial.wanted()) {
            pair.receiver().move_to(*wanted == Path::Relay ? 0 : 1, pair.now());
        }
    }

    sim::Line &direct;
    PathTrial trial;
    std::array<std::uint64_t, 2> by_path{};
    std::uint16_t used = 0;
    int moves = 0;
    double gap = 0;
    double longest_gap = 0;
};

TEST(PathTrial, FindsTheFasterOfTwoLines) {
    struct Case {
        double relay_ms, relay_mbit, direct_ms, direct_mbit;
        bool relay_wins;
        double alone = 3;
    };
    for (const auto &each :
         {Case{80, 100, 40, 4, true}, Case{80, 100, 40, 20, true}, Case{80, 20, 40, 100, false},
          Case{40, 20, 40, 20, false}, Case{40, 100, 200, 100, false}, Case{300, 40, 20, 5, true},
          Case{300, 10, 300, 60, false}, Case{20, 100, 100, 10, true},
          Case{80, 20, 40, 100, false, 1}, Case{80, 100, 40, 10, true, 1}}) {
        TrialLine line(sim::link_of(each.relay_ms, each.relay_mbit),
                       sim::link_of(each.direct_ms, each.direct_mbit));
        const auto held = line.begin(each.alone);
        const auto took = line.finish();
        const auto what = testing::Message()
                          << each.relay_ms << " ms " << each.relay_mbit << ", direct "
                          << each.direct_ms << " ms " << each.direct_mbit << ": held " << held
                          << " s, took " << took << " s, gap " << line.longest_gap;
        EXPECT_EQ(line.used, each.relay_wins ? 0 : 1) << what;
        EXPECT_EQ(line.trial.relay_won(), each.relay_wins) << what;
        EXPECT_EQ(line.moves, each.relay_wins ? 2 : 1) << what;
        EXPECT_LT(held, 3.5) << what;
        EXPECT_LT(took, 15) << what;
        EXPECT_LT(line.longest_gap, 1) << what;
        EXPECT_FALSE(line.over());
    }
}

} // namespace
} // namespace thru
