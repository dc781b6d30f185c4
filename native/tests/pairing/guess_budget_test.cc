#include "pairing/guess_budget.h"

#include <gtest/gtest.h>

namespace thru {
namespace {

constexpr Timestamp kStart = 1000 * kSecond;

/// Begins a run as soon as allowed and ends it wrong; returns its time.
Timestamp guess_wrong(GuessBudget &budget, Timestamp now) {
    const auto at = budget.next_run(now);
    budget.begin(at).wrong();
    return at;
}

// PAIR-04: only counted guesses make a budget grow, and enough of them lock it.
TEST(GuessBudget, TenRunsAtOnceThenOneEveryTwoSeconds) {
    static_assert(sizeof(GuessBudget) <= 72);
    GuessBudget budget;
    auto now = kStart;
    for (int run = 0; run < 10; ++run) {
        ASSERT_EQ(budget.next_run(now), now) << run;
        const auto abandoned = budget.begin(now);
    }
    for (int run = 0; run < 100; ++run) {
        EXPECT_EQ(budget.next_run(now), now + 2 * kSecond);
        now += 2 * kSecond;
        const auto abandoned = budget.begin(now);
    }
    EXPECT_EQ(budget.wrong(), 0U);
}

TEST(GuessBudget, AGuessIsKnownByItsNameUntilAPersonMakesOtherWords) {
    GuessBudget budget;
    const GuessId guess{1};
    const GuessId late{2};
    budget.begin(kStart).wrong(guess);
    EXPECT_EQ(budget.wrong(), 1U);
    EXPECT_TRUE(budget.has_counted(guess));
    EXPECT_FALSE(budget.has_counted(late));
    auto run = budget.begin(kStart);
    budget.renew();
    run.wrong(late);
    EXPECT_FALSE(budget.has_counted(guess));
    EXPECT_FALSE(budget.has_counted(late)) << "it was no guess at the new words";
}

TEST(GuessBudget, ABurstIsRestoredByRest) {
    GuessBudget budget;
    const auto burst_at = [&](Timestamp now) {
        int runs = 0;
        for (; budget.next_run(now) == now; ++runs) {
            const auto abandoned = budget.begin(now);
        }
        return runs;
    };
    EXPECT_EQ(burst_at(kStart), 10);
    EXPECT_EQ(burst_at(kStart + 6 * kSecond), 3);
    EXPECT_EQ(burst_at(kStart + 3600 * kSecond), 10);
}

TEST(GuessBudget, RightWordsTakeNothingOfTheBurst) {
    GuessBudget budget;
    for (int run = 0; run < 1000; ++run) {
        ASSERT_EQ(budget.next_run(kStart), kStart) << run;
        budget.begin(kStart).proven();
    }
    for (int run = 0; run < 10; ++run) {
        ASSERT_EQ(budget.next_run(kStart), kStart) << run;
        const auto abandoned = budget.begin(kStart);
    }
    auto proven = budget.begin(budget.next_run(kStart));
    proven.proven();
    proven.proven();
    EXPECT_EQ(budget.next_run(kStart), kStart + 2 * kSecond);
}

TEST(GuessBudget, ThreeRunsMayBeWithoutAProof) {
    using Runs = std::vector<GuessBudget::Run>;
    for (const auto end :
         {+[](Runs &runs) { runs.back().proven(); }, +[](Runs &runs) { runs.back().wrong(); },
          +[](Runs &runs) { runs.pop_back(); }}) {
        GuessBudget budget;
        Runs runs;
        for (int run = 0; run < 3; ++run) {
            ASSERT_EQ(budget.next_run(kStart), kStart);
            runs.push_back(budget.begin(kStart));
        }
        EXPECT_EQ(budget.next_run(kStart), kNever);
        end(runs);
        EXPECT_EQ(budget.next_run(kStart), kStart);
    }
}

TEST(GuessBudget, EndingARunTwiceCountsOnce) {
    GuessBudget budget;
    auto first = budget.begin(kStart);
    auto second = budget.begin(kStart);
    auto moved = std::move(first);
    moved.wrong();
    moved.wrong();
    moved.proven();
    moved = std::move(second);
    moved = budget.begin(kStart);
    EXPECT_EQ(budget.wrong(), 1U);
    const auto third = budget.begin(kStart);
    EXPECT_EQ(budget.next_run(kStart), kStart) << "two are under way";
    const auto fourth = budget.begin(kStart);
    EXPECT_EQ(budget.next_run(kStart), kNever) << "three are";
}

TEST(GuessBudget, NewWordsResetGuessesAndRunsUnderWayContinue) {
    GuessBudget budget;
    guess_wrong(budget, kStart);
    auto tried = budget.begin(kStart);
    std::vector<GuessBudget::Run> others;
    others.push_back(budget.begin(kStart));
    others.push_back(budget.begin(kStart));
    budget.renew();
    EXPECT_EQ(budget.wrong(), 0U);
    EXPECT_EQ(budget.next_run(kStart), kNever) << "three are still under way";
    tried.wrong();
    EXPECT_EQ(budget.wrong(), 0U) << "its words were given up";
    EXPECT_EQ(budget.next_run(kStart), kStart);
    others.clear();
    guess_wrong(budget, kStart);
    EXPECT_EQ(budget.wrong(), 1U);
}

TEST(GuessBudget, FourCodesWorthOfWrongTagsLockAShareForGood) {
    GuessBudget budget;
    auto now = kStart;
    for (int code = 0; code < 4; ++code) {
        EXPECT_FALSE(budget.spent());
        while (!budget.locked()) {
            now = guess_wrong(budget, now);
        }
        budget.renew();
    }
    EXPECT_TRUE(budget.spent());
    EXPECT_TRUE(budget.locked());
    EXPECT_EQ(budget.next_run(now + 1'000'000 * kSecond), kNever);
}

TEST(GuessBudget, CodesThatNobodyGuessesAtMayBeMadeWithoutEnd) {
    GuessBudget budget;
    for (int code = 0; code < 10'000; ++code) {
        budget.renew();
    }
    EXPECT_FALSE(budget.locked());
}

TEST(GuessBudget, AfterFiveWrongTagsTheTimeBetweenTwoRunsDoublesUpToThirtySeconds) {
    GuessBudget budget;
    auto now = kStart;
    for (int run = 0; run < 5; ++run) {
        EXPECT_EQ(guess_wrong(budget, now), now);
    }
    for (const auto seconds : {1, 2, 4, 8, 16, 30, 30, 30}) {
        const auto at = guess_wrong(budget, now);
        EXPECT_EQ(at - now, static_cast<Timestamp>(seconds) * kSecond);
        now = at;
    }
}

// PAIR-11
TEST(GuessBudget, IsLockedForGoodAfterFiftyWrongTagsAndTwentyMinutes) {
    GuessBudget budget;
    auto now = kStart;
    int in_ten_minutes = 0;
    while (!budget.locked()) {
        now = guess_wrong(budget, now);
        in_ten_minutes += now - kStart <= 600 * kSecond ? 1 : 0;
    }
    EXPECT_LE(in_ten_minutes, 30);
    EXPECT_GT(now - kStart, 1200 * kSecond);
    EXPECT_EQ(budget.wrong(), kMaxWrongGuesses);
    EXPECT_EQ(budget.next_run(now + 1'000'000 * kSecond), kNever);
}

} // namespace
} // namespace thru
