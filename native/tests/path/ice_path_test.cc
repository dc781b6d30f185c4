// ICE agents on the interfaces of this computer.
#include "path/ice_path.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/ice_agent.h"
#include "support/run_until.h"

namespace thru::test {
namespace {

TEST(IcePath, LooksNoFurtherOnceAPairIsNominated) {
    EventLoop loop;
    loop.prepare_thread();
    {
        IceAgent sender(loop, true);
        IceAgent receiver(loop, false);
        ASSERT_TRUE(receiver.path().set_credentials(kOther, kOne));
        ASSERT_TRUE(sender.path().set_credentials(kOne, kOther));
        ASSERT_TRUE(run_until(loop, [&] { return sender.gathered() && receiver.gathered(); }));
        for (const auto &line : receiver.candidates()) {
            sender.path().add_remote_candidate(line);
        }
        ASSERT_TRUE(
            run_until(loop, [&] { return sender.path().ready() && receiver.path().ready(); }));
        // libnice's idle checks would take a thousand turns in five seconds.
        EXPECT_LT(turns_until_quiet(loop, 1000), 1000U);
    }
    EXPECT_TRUE(run_until(loop, [&] { return !loop.has_pending(); }));
}

TEST(IcePath, AnAgentWithTheCredentialsIsFoundBeforeItsCandidatesAreKnown) {
    EventLoop loop;
    loop.prepare_thread();
    {
        IceAgent sender(loop, true);
        IceAgent receiver(loop, false);
        ASSERT_TRUE(receiver.path().set_credentials(kOther, kOne));
        ASSERT_TRUE(run_until(loop, [&] { return sender.gathered() && receiver.gathered(); }));
        // The receiver's candidates arrive with its proof, and the sender's have not arrived yet.
        ASSERT_TRUE(sender.path().set_credentials(kOne, kOther));
        for (const auto &line : receiver.candidates()) {
            sender.path().add_remote_candidate(line);
        }
        EXPECT_TRUE(
            run_until(loop, [&] { return sender.path().ready() && receiver.path().ready(); }));
        // The sender's candidates follow, and change nothing.
        const auto found = receiver.path().carriers().route().remote;
        for (const auto &line : sender.candidates()) {
            receiver.path().add_remote_candidate(line);
        }
        receiver.path().remote_candidates_done();
        EXPECT_EQ(receiver.path().carriers().route().remote, found);
    }
    EXPECT_TRUE(run_until(loop, [&] { return !loop.has_pending(); }));
}

/// Candidates at which no agent answers.
std::vector<std::string> candidates_of_an_agent_that_is_gone(EventLoop &loop) {
    IceAgent agent(loop, false);
    EXPECT_TRUE(run_until(loop, [&] { return agent.gathered(); }));
    return agent.candidates();
}

TEST(IcePath, APairThatWorksIsUsedWhileAnotherLeadsNowhere) {
    EventLoop loop;
    loop.prepare_thread();
    {
        IceAgent sender(loop, true);
        IceAgent receiver(loop, false);
        ASSERT_TRUE(receiver.path().set_credentials(kOther, kOne));
        ASSERT_TRUE(sender.path().set_credentials(kOne, kOther));
        const auto gone = candidates_of_an_agent_that_is_gone(loop);
        ASSERT_TRUE(run_until(loop, [&] { return sender.gathered() && receiver.gathered(); }));
        const auto start = loop.now();
        for (const auto &line : gone) {
            sender.path().add_remote_candidate(line);
        }
        // The sender doesn't know the receiver's candidates, as behind a symmetric NAT, and the
        // receiver knows only one of the sender's.
        receiver.path().add_remote_candidate(sender.candidates().front());
        EXPECT_TRUE(
            run_until(loop, [&] { return sender.path().ready() && receiver.path().ready(); }));
        // libnice abandons a check after two seconds.
        EXPECT_LT(loop.now() - start, 1900 * kMillisecond);
    }
    EXPECT_TRUE(run_until(loop, [&] { return !loop.has_pending(); }));
}

} // namespace
} // namespace thru::test
