#include <thread>

#include <gtest/gtest.h>

#include <windows.h>

#include "loop/wait.h"

namespace thru {
namespace {

DWORD open_handles() {
    DWORD count = 0;
    EXPECT_TRUE(GetProcessHandleCount(GetCurrentProcess(), &count));
    return count;
}

TEST(WindowsWait, LeavesNothingBehindWhenItsThreadEnds) {
    const auto wait_once = [] { std::thread([] { wait_for({}, 0, kMillisecond); }).join(); };
    wait_once(); // creates state shared by all threads, which stays
    const DWORD before = open_handles();
    for (int thread = 0; thread < 50; ++thread) {
        wait_once();
    }
    EXPECT_LT(open_handles(), before + 50);
}

} // namespace
} // namespace thru
