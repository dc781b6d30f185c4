// CODE-08: without random numbers, nothing is shared or received.
#include <cstdlib>

#include <unistd.h>

#include <gtest/gtest.h>

#include "engine/engine_pair.h"
#include "support/refused_calls.h"

namespace thru {
namespace {

/// True if the session that `command` opens fails for lack of random numbers.
bool is_refused(const Command &command) {
    WatchedEngine engine;
    engine.post(command);
    return engine.wait_for<FailedEvent>().error.code == ErrorCode::Internal;
}

TEST(EngineDeathTest, WithoutRandomnessNoSessionBegins) { // CODE-08
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const OpenShare share{.session = 1, .items = {{.path = "/"}}, .name = "Mina"};
    const OpenReceive receive{.session = 1,
                              .nameplate = EnginePair::kNameplate,
                              .secret = ByWords{EnginePair::kWords},
                              .peer = "s",
                              .name = "Jonas"};
    EXPECT_EXIT(
        {
            test::take_randomness_away();
            _exit(is_refused(share) && is_refused(receive) ? EXIT_SUCCESS : EXIT_FAILURE);
        },
        testing::ExitedWithCode(EXIT_SUCCESS), "");
}

} // namespace
} // namespace thru
