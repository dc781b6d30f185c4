// Candidates with mDNS names, and the queries about them to the local network.
#include <memory>
#include <mutex>
#include <string>

#include <gtest/gtest.h>

#include "engine/hostile/hostile_share.h"
#include "path/candidate_line.h"

namespace thru {
namespace {

constexpr const char *kName = "8f5fb3c2-19d5-4f0a-9c1e-0a7c7a6b5d4e.local";

/// A receiver that gives a name instead of its only address, as browsers do, and starts no checks
/// itself. It is reachable only by resolving the name.
class NamedCandidates : public HostileShare {
public:
    std::unique_ptr<HostileReceiver> receiver() {
        HostileReceiver::Options options;
        // An agent without any remote candidate accepts no checks.
        options.peer_candidate = [](std::string_view) {
            return "candidate:1 1 UDP 1 192.0.2.1 40001 typ host";
        };
        options.candidate = [this](std::string_view line) { return named(line); };
        return hostile(std::move(options));
    }
    NameAskedEvent question() { return pair().sender.wait_for<NameAskedEvent>(); }
    /// The address behind the name.
    std::string address() {
        const std::lock_guard lock(mutex_);
        return address_;
    }

    /// Advances past the time limit for finding a path.
    void give_up() { pair().sender.advance(31 * kSecond); }

private:
    std::string named(std::string_view line) {
        const std::lock_guard lock(mutex_);
        if (candidate_field(line, 2) != "UDP" || !address_.empty()) {
            return {};
        }
        address_ = candidate_address(line);
        return with_address(line, kName);
    }

    std::mutex mutex_;
    std::string address_;
};

TEST_F(NamedCandidates, LeadToTheOtherComputerOnceTheirNameIsAnswered) {
    share_files();
    const auto peer = receiver();
    const auto asked = question();
    EXPECT_EQ(asked.session, EnginePair::kShare);
    EXPECT_EQ(asked.name, kName);
    pair().sender.post(AnswerName{asked.question, address()});
    greet(*peer);
    // Repeated and unknown answers are ignored.
    pair().sender.post(AnswerName{asked.question, address()});
    pair().sender.post(AnswerName{9999, address()});
    peer->control(Request{entries()});
    peer->wait_for_bytes(2 * kFileBytes);
    EXPECT_EQ(pair().sender.count<NameDroppedEvent>(), 0U);
}

TEST_F(NamedCandidates, AreOverWithTheirLink) {
    share_files();
    const auto peer = receiver();
    const auto asked = question();
    pair().sender.post(DisconnectPeer{EnginePair::kShare, peer->peer()});
    EXPECT_EQ(pair().sender.wait_for<NameDroppedEvent>().question, asked.question);
    pair().sender.post(AnswerName{asked.question, address()});
    EXPECT_EQ(receive_honestly().files, 2U);
}

TEST_F(NamedCandidates, LeadNowhereByAnAnswerThatIsNoAddressOfAComputer) {
    share_files();
    const auto peer = receiver();
    const auto asked = question();
    for (const auto *wrong : {"224.0.0.251", "printer.local", "127.0.0.1 1 typ host", ""}) {
        pair().sender.post(AnswerName{asked.question, wrong});
    }
    give_up();
    EXPECT_EQ(failure_of(*peer), ErrorCode::NoRoute);
}

TEST_F(NamedCandidates, AreNotAskedWhereAPersonWantsOnlyRelays) {
    pair().write_source("a.bin", kFileBytes);
    pair().sender.post(OpenShare{.session = EnginePair::kShare,
                                 .items = {{.path = pair().source().string()}},
                                 .name = "Mina",
                                 .ice = {.relay_use = RelayUse::Only}});
    pair().sender.post(SetCode{EnginePair::kShare,
                               std::string(EnginePair::kNameplate) + "-" + EnginePair::kWords});
    const auto peer = receiver();
    pair().sender.wait_for<PairingDoneEvent>();
    give_up();
    EXPECT_EQ(failure_of(*peer), ErrorCode::NoRelay);
    EXPECT_EQ(pair().sender.count<NameAskedEvent>(), 0U);
}

} // namespace
} // namespace thru
