#include "loop/sleep_watch.h"

#include <gtest/gtest.h>

#include "loop/event_loop.h"

namespace thru {
namespace {

constexpr Timestamp kAsleepAt = 1000 * kSecond;

Timestamp idle() { return 0; }

TEST(SleepWatch, WaitsAsPlannedAreNoSleep) {
    SleepWatch watch(idle);
    EXPECT_EQ(watch.after_wait(kAsleepAt), 0U);
    watch.before_wait(6 * kSecond);
    EXPECT_EQ(watch.after_wait(kAsleepAt + 6 * kSecond), 0U);
    watch.before_wait(kNever);
    EXPECT_EQ(watch.after_wait(kAsleepAt + 3600 * kSecond), 0U);
    watch.before_wait(0);
    EXPECT_EQ(watch.after_wait(kAsleepAt + 3603 * kSecond), 0U) << "a busy computer";
}

TEST(SleepWatch, AWaitThatTookMuchLongerThanPlannedWasASleep) {
    SleepWatch watch(idle);
    watch.after_wait(kAsleepAt);
    watch.before_wait(6 * kSecond);
    EXPECT_EQ(watch.after_wait(kAsleepAt + 46 * kSecond), 40 * kSecond);
    watch.before_wait(0);
    EXPECT_EQ(watch.after_wait(kAsleepAt + 46 * kSecond), 0U) << "told once";
}

TEST(SleepWatch, WorkIsNoSleep) {
    Timestamp worked = 500 * kSecond;
    SleepWatch watch([&worked] { return worked; });
    watch.after_wait(kAsleepAt);
    watch.before_wait(0);
    worked += 20 * kSecond;
    EXPECT_EQ(watch.after_wait(kAsleepAt + 20 * kSecond), 0U);
    worked += kSecond;
    EXPECT_EQ(watch.after_wait(kAsleepAt + 31 * kSecond), 10 * kSecond)
        << "stopped while it worked";
}

TEST(SleepWatch, WorkIsAskedForTenTimesASecond) {
    int asked = 0;
    SleepWatch watch([&asked] {
        ++asked;
        return Timestamp{0};
    });
    for (Timestamp turn = 0; turn < 1000; ++turn) {
        watch.before_wait(0);
        watch.after_wait(kAsleepAt + turn * kMillisecond);
    }
    EXPECT_EQ(asked, 10);
}

TEST(SleepWatch, ALoopThatIsNotLateReportsNoSleep) {
    EventLoop loop;
    Timestamp slept = 0;
    loop.on_wake([&](Timestamp asleep) { slept = asleep; });
    for (int turn = 0; turn < 3; ++turn) {
        loop.run_once(0);
    }
    EXPECT_EQ(slept, 0U);
}

} // namespace
} // namespace thru
