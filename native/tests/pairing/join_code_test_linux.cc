// CODE-08: a code is random, or none is made.
#include "pairing/join_code.h"

#include <csignal>

#include <unistd.h>

#include <gtest/gtest.h>

#include "support/refused_calls.h"

namespace thru {
namespace {

TEST(JoinCodeDeathTest, WithoutRandomnessThereIsNoCode) { // CODE-08
    // Not in the process that dies: a C library with a buffer of random bytes drops it on fork.
    random_words();
    EXPECT_EXIT(
        {
            test::take_randomness_away();
            random_words();
            _exit(0);
        },
        testing::KilledBySignal(SIGABRT), "");
}

} // namespace
} // namespace thru
