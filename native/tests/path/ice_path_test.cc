// ICE agents on the interfaces of this computer.
#include "path/ice_path.h"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "support/patience.h"

namespace thru {
namespace {

const IceCredentials kOne{.ufrag = "00000001",
                          .pwd = SecretText("00112233445566778899aabbccddeeff")};
const IceCredentials kOther{.ufrag = "00000002",
                            .pwd = SecretText("ffeeddccbbaa99887766554433221100")};

class Agent final : public IceListener {
public:
    Agent(EventLoop &loop, bool controlling)
        : path_(IcePath::create(loop, {}, controlling, *this).value()) {
        EXPECT_TRUE(path_->gather());
    }

    IcePath &path() { return *path_; }
    const std::vector<std::string> &candidates() const { return candidates_; }
    bool gathered() const { return gathered_; }

private:
    void on_local_candidate(std::string_view line) override { candidates_.emplace_back(line); }
    void on_local_candidates_done() override { gathered_ = true; }
    void on_ice_ready() override { EXPECT_TRUE(path_->ready()); }
    void on_ice_failed() override { ADD_FAILURE(); }
    void on_datagrams(ByteView, std::size_t, const Address &) override {}
    void on_writable() override {}

    std::vector<std::string> candidates_;
    bool gathered_ = false;
    std::unique_ptr<IcePath> path_;
};

template <class Condition> bool run_until(EventLoop &loop, Condition done) {
    const auto end = std::chrono::steady_clock::now() + test::patience(std::chrono::seconds(20));
    while (!done() && std::chrono::steady_clock::now() < end) {
        loop.run_once(loop.now() + 20 * kMillisecond);
    }
    return done();
}

/// Turns of a loop until one of them waits for long, or `most`.
std::size_t turns_until_quiet(EventLoop &loop, std::size_t most) {
    constexpr Timestamp kLong = 400 * kMillisecond;
    for (std::size_t turns = 0; turns < most; ++turns) {
        const auto begin = loop.now();
        loop.run_once(begin + kLong);
        if (loop.now() - begin >= kLong) {
            return turns;
        }
    }
    return most;
}

TEST(IcePath, LooksNoFurtherOnceAPairIsNominated) {
    EventLoop loop;
    loop.prepare_thread();
    {
        Agent sender(loop, true);
        Agent receiver(loop, false);
        ASSERT_TRUE(receiver.path().set_credentials(kOther, kOne));
        ASSERT_TRUE(sender.path().set_credentials(kOne, kOther));
        ASSERT_TRUE(run_until(loop, [&] { return sender.gathered() && receiver.gathered(); }));
        for (const auto &line : receiver.candidates()) {
            sender.path().add_remote_candidate(line);
        }
        ASSERT_TRUE(
            run_until(loop, [&] { return sender.path().ready() && receiver.path().ready(); }));
        // Five seconds of idle looks are a thousand turns; nobody says that all candidates are
        // known.
        EXPECT_LT(turns_until_quiet(loop, 1000), 1000U);
    }
    EXPECT_TRUE(run_until(loop, [&] { return !loop.has_pending(); }));
}

TEST(IcePath, AnAgentWithTheCredentialsIsFoundBeforeItsCandidatesAreKnown) {
    EventLoop loop;
    loop.prepare_thread();
    {
        Agent sender(loop, true);
        Agent receiver(loop, false);
        ASSERT_TRUE(receiver.path().set_credentials(kOther, kOne));
        ASSERT_TRUE(run_until(loop, [&] { return sender.gathered() && receiver.gathered(); }));
        // The receiver's candidates come with its proof, and nothing of the sender's has yet.
        ASSERT_TRUE(sender.path().set_credentials(kOne, kOther));
        for (const auto &line : receiver.candidates()) {
            sender.path().add_remote_candidate(line);
        }
        EXPECT_TRUE(
            run_until(loop, [&] { return sender.path().ready() && receiver.path().ready(); }));
        // They follow, and change nothing.
        const auto found = receiver.path().route().remote;
        for (const auto &line : sender.candidates()) {
            receiver.path().add_remote_candidate(line);
        }
        receiver.path().remote_candidates_done();
        EXPECT_EQ(receiver.path().route().remote, found);
    }
    EXPECT_TRUE(run_until(loop, [&] { return !loop.has_pending(); }));
}

/// Nobody answers there.
std::vector<std::string> candidates_of_an_agent_that_is_gone(EventLoop &loop) {
    Agent agent(loop, false);
    EXPECT_TRUE(run_until(loop, [&] { return agent.gathered(); }));
    return agent.candidates();
}

TEST(IcePath, APairThatWorksIsUsedWhileAnotherLeadsNowhere) {
    EventLoop loop;
    loop.prepare_thread();
    {
        Agent sender(loop, true);
        Agent receiver(loop, false);
        ASSERT_TRUE(receiver.path().set_credentials(kOther, kOne));
        ASSERT_TRUE(sender.path().set_credentials(kOne, kOther));
        const auto gone = candidates_of_an_agent_that_is_gone(loop);
        ASSERT_TRUE(run_until(loop, [&] { return sender.gathered() && receiver.gathered(); }));
        const auto start = loop.now();
        for (const auto &line : gone) {
            sender.path().add_remote_candidate(line);
        }
        // Those of the receiver are unknown to the sender, as behind a symmetric NAT, and only one
        // of the sender's is known.
        receiver.path().add_remote_candidate(sender.candidates().front());
        EXPECT_TRUE(
            run_until(loop, [&] { return sender.path().ready() && receiver.path().ready(); }));
        // libnice gives up a check after two seconds.
        EXPECT_LT(loop.now() - start, 1900 * kMillisecond);
    }
    EXPECT_TRUE(run_until(loop, [&] { return !loop.has_pending(); }));
}

} // namespace
} // namespace thru
