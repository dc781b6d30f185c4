#include "link/scheduler.h"

#include <optional>
#include <utility>

#include <gtest/gtest.h>

namespace thru {
namespace {

/// A task that counts its turns.
struct Counting {
    explicit Counting(Scheduler &scheduler, Timestamp first = kNever)
        : deadline(first), task(scheduler, [this](Timestamp) {
              ++turns;
              return std::exchange(deadline, kNever);
          }) {}

    Timestamp deadline;
    int turns = 0;
    Scheduler::Task task;
};

TEST(Scheduler, GivesEachTaskItsFirstTurn) {
    Scheduler scheduler;
    EXPECT_EQ(scheduler.deadline(), kNever);
    Counting counting(scheduler);
    EXPECT_EQ(scheduler.deadline(), 0U);
    scheduler.run(1);
    EXPECT_EQ(counting.turns, 1);
    EXPECT_EQ(scheduler.deadline(), kNever);
}

TEST(Scheduler, LeavesOthersAloneWhenOneIsWoken) {
    Scheduler scheduler;
    Counting one(scheduler);
    Counting other(scheduler);
    scheduler.run(1);
    one.task.wake();
    one.task.wake();
    EXPECT_EQ(scheduler.deadline(), 0U);
    scheduler.run(2);
    EXPECT_EQ(one.turns, 2);
    EXPECT_EQ(other.turns, 1);
}

TEST(Scheduler, WakesThoseWhoseTimeHasCome) {
    Scheduler scheduler;
    Counting early(scheduler, 10);
    Counting late(scheduler, 20);
    scheduler.run(1);
    EXPECT_EQ(scheduler.deadline(), 10U);
    scheduler.run(9);
    EXPECT_EQ(early.turns, 1);
    scheduler.run(10);
    EXPECT_EQ(early.turns, 2);
    EXPECT_EQ(late.turns, 1);
    EXPECT_EQ(scheduler.deadline(), 20U);
    scheduler.run(30);
    EXPECT_EQ(late.turns, 2);
    EXPECT_EQ(scheduler.deadline(), kNever);
}

TEST(Scheduler, HasMoreToDoAtOnceWhenATurnSaysSo) {
    Scheduler scheduler;
    Counting counting(scheduler, 0);
    scheduler.run(1);
    EXPECT_EQ(scheduler.deadline(), 0U);
    scheduler.run(1);
    EXPECT_EQ(counting.turns, 2);
    EXPECT_EQ(scheduler.deadline(), kNever);
}

TEST(Scheduler, GivesATurnInTheNextRunToWhatIsWokenMeanwhile) {
    Scheduler scheduler;
    Counting woken(scheduler);
    Scheduler::Task waking(scheduler, [&woken](Timestamp) {
        woken.task.wake();
        return kNever;
    });
    scheduler.run(1);
    EXPECT_EQ(woken.turns, 1);
    EXPECT_EQ(scheduler.deadline(), 0U);
    scheduler.run(1);
    EXPECT_EQ(woken.turns, 2);
}

TEST(Scheduler, LetsATaskEndInItsTurn) {
    Scheduler scheduler;
    std::optional<Scheduler::Task> task;
    task.emplace(scheduler, [&task](Timestamp) {
        task.reset();
        return Timestamp{5};
    });
    scheduler.run(1);
    EXPECT_FALSE(task);
    EXPECT_EQ(scheduler.deadline(), kNever);
}

TEST(Scheduler, GivesNoTurnToWhatAnotherTurnEnded) {
    Scheduler scheduler;
    std::optional<Counting> ended;
    Scheduler::Task ending(scheduler, [&ended](Timestamp) {
        ended.reset();
        return kNever;
    });
    ended.emplace(scheduler);
    scheduler.run(1);
    EXPECT_EQ(scheduler.deadline(), kNever);
}

TEST(Scheduler, WakesAllForWhatConcernsAll) {
    Scheduler scheduler;
    Counting one(scheduler);
    Counting other(scheduler, 50);
    scheduler.run(1);
    scheduler.wake_all();
    scheduler.run(2);
    EXPECT_EQ(one.turns, 2);
    EXPECT_EQ(other.turns, 2);
}

} // namespace
} // namespace thru
