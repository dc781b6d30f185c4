// Addresses that an agent learns from a STUN server.
#include <algorithm>
#include <chrono>
#include <string>

#include <gtest/gtest.h>

#include "support/ice_agent.h"
#include "support/local_relay_posix.h"
#include "support/local_stun_posix.h"
#include "support/run_until.h"

namespace thru {
namespace {

TEST(IceStun, AnswersBesideARelayThatSaysNothing) {
    EventLoop loop;
    loop.prepare_thread();
    {
        const test::LocalStun stun;
        const test::LocalRelay relay;
        const test::IceAgent agent(loop, true, {.stun = {stun.place()}, .turn = {relay.server()}});
        EXPECT_TRUE(test::run_until(loop, [&] {
            stun.answer();
            return relay.was_asked(std::chrono::milliseconds(0)) &&
                   std::ranges::any_of(agent.candidates(), [](const std::string &line) {
                       return line.contains(test::LocalStun::kSeen);
                   });
        }));
    }
    EXPECT_TRUE(test::run_until(loop, [&] { return !loop.has_pending(); }));
}

} // namespace
} // namespace thru
