// CODE-08: missing random numbers cause an error before anything unsafe happens.
#include "crypto/random.h"

#include <cstdlib>

#include <unistd.h>

#include <gtest/gtest.h>

#include "support/refused_calls.h"

namespace thru {
namespace {

TEST(RandomDeathTest, ThatIsMissingIsAnError) { // CODE-08
    EXPECT_EXIT(
        {
            const bool before = require_random().has_value();
            test::take_randomness_away();
            const auto after = require_random();
            const bool reported = !after && after.error().code == ErrorCode::Internal;
            _exit(before && reported ? EXIT_SUCCESS : EXIT_FAILURE);
        },
        testing::ExitedWithCode(EXIT_SUCCESS), "");
}

} // namespace
} // namespace thru
