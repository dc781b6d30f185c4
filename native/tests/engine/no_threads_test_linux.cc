// An engine that can't start threads.
#include <cstdlib>
#include <system_error>

#include <unistd.h>

#include <gtest/gtest.h>

#include "engine/engine.h"
#include "support/refused_calls.h"

namespace thru {
namespace {

TEST(EngineDeathTest, WithoutAThreadThereIsNoEngine) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            test::take_threads_away();
            try {
                const Engine engine([] {});
            } catch (const std::system_error &) {
                _exit(EXIT_SUCCESS);
            }
            _exit(EXIT_FAILURE);
        },
        testing::ExitedWithCode(EXIT_SUCCESS), "");
}

} // namespace
} // namespace thru
