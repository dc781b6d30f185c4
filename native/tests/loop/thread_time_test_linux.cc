#include "loop/thread_time.h"

#include <atomic>
#include <ctime>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>
#include <sched.h>

#include "support/patience.h"

namespace thru {
namespace {

Timestamp clock_time(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<Timestamp>(now.tv_sec) * kSecond + static_cast<Timestamp>(now.tv_nsec);
}

TEST(ThreadTime, WaitingForAProcessorThatAnotherThreadHasIsNoRest) {
    if (!std::filesystem::exists("/proc/thread-self/schedstat")) {
        GTEST_SKIP() << "the kernel does not count it";
    }
    std::atomic<bool> over = false;
    std::jthread together([&over] {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
        ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
        // Threads inherit the affinity.
        const std::jthread other([&over] {
            while (!over) {
            }
        });
        const auto end =
            clock_time(CLOCK_MONOTONIC) +
            static_cast<Timestamp>(test::patience(std::chrono::seconds(30)).count()) * kSecond;
        const auto waited = [] {
            const auto processor = clock_time(CLOCK_THREAD_CPUTIME_ID);
            return thread_time() - processor;
        };
        const auto before = waited();
        while (waited() < before + kSecond / 10) {
            if (clock_time(CLOCK_MONOTONIC) > end) {
                ADD_FAILURE() << "half a minute was all work";
                break;
            }
        }
        over = true;
    });
}

} // namespace
} // namespace thru
