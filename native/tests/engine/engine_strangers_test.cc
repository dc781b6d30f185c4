// Attacks by strangers, or by a server that invents them, on a share and its receivers.
#include <algorithm>
#include <array>
#include <ctime>
#include <deque>
#include <set>

#include <gtest/gtest.h>

#include "engine/hostile/hostile_share.h"
#include "engine/hostile/stranger.h"
#include "pairing/payload.h"

namespace thru {
namespace {

template <class E> auto of_peer(std::string peer) {
    return [peer = std::move(peer)](const E &event) { return event.peer == peer; };
}
struct Strangers : HostileShare {
    std::unique_ptr<Stranger> stranger(PairingSecret secret = wrong_words()) {
        return std::make_unique<Stranger>(pair(), "stranger" + std::to_string(++strangers_),
                                          std::move(secret));
    }
    std::vector<std::unique_ptr<Stranger>> three() {
        std::vector<std::unique_ptr<Stranger>> all;
        for (int count = 0; count < 3; ++count) {
            all.push_back(stranger());
            all.back()->knock();
            EXPECT_TRUE(all.back()->hear()) << "is answered";
        }
        return all;
    }
    void expect_wrong(std::size_t count) {
        pair().sender.wait_for<GuessesEvent>(
            [=](const GuessesEvent &event) { return event.wrong == count; });
    }
    /// The resume key of the receiver "r3", session 3, which has the offer.
    auto key_of_one_who_is_in() {
        pair().join(3, "r3");
        pair().receiver.wait_for<OfferEvent>(of_session<OfferEvent>(3));
        return pair().receiver.wait_for<ResumeKeyEvent>(of_session<ResumeKeyEvent>(3)).key;
    }
    /// Changes the nameplate; the words of the code stay the same.
    void move_to(const std::string &nameplate) {
        pair().sender.post(SetCode{EnginePair::kShare, nameplate + "-" + EnginePair::kWords});
    }

private:
    int strangers_ = 0;
};

TEST_F(Strangers, AnIdThatIsRepeatedDoesNotEndWhoHasIt) {
    pair().write_source("large.bin", 8'000'000);
    pair().sender.post(SetLimits{4'000'000, 0});
    pair().start({pair().source().string()});
    pair().receiver.wait_for<OfferEvent>();
    pair().accept();
    pair().receiver.wait_for<ProgressEvent>(
        [](const ProgressEvent &event) { return event.bytes > 0; });
    for (int count = 0; count < 100; ++count) {
        pair().sender.post(AddPeer{EnginePair::kShare, "r"});
    }
    pair().sender.post(SetLimits{0, 0});
    pair().receiver.wait_for<FinishedEvent>();
    pair().sender.wait_for<FinishedEvent>();
    EXPECT_EQ(pair().sender.count<FailedEvent>(), 0U);
    EXPECT_EQ(pair().receiver.count<ConnectedEvent>(), 1U);
}

TEST_F(Strangers, AWrongTagCountsWhateverFollowsInTheSameMoment) {
    share_files();
    const auto all = three();
    for (const auto &each : all) {
        each->speak();
        each->introduce();
        pair().sender.post(DisconnectPeer{EnginePair::kShare, each->peer()});
    }
    move_to("4821");
    expect_wrong(3);
    expect_still_serving();
}

TEST_F(Strangers, AnotherCodeInTheMiddleOfRunsLeavesTheShareOpen) {
    share_files();
    for (int round = 0; round < 3; ++round) {
        const auto all = three();
        move_to(round % 2 == 0 ? "4822" : "4821");
        for (const auto &each : all) {
            pair().sender.wait_for<FailedEvent>(of_peer<FailedEvent>(each->peer()));
        }
        move_to("4821");
    }
    expect_still_serving();
    EXPECT_EQ(pair().sender.count<GuessesEvent>(), 0U);
}

TEST_F(Strangers, GuessesStayCountedUntilAPersonMakesOtherWords) {
    share_files();
    const auto guess = [&] {
        const auto one = stranger();
        one->knock();
        ASSERT_TRUE(one->hear());
        one->speak();
        EXPECT_EQ(one->refusal(), ErrorCode::CodeMismatch);
    };
    guess();
    move_to("4821");
    guess();
    move_to("4821");
    guess();
    expect_wrong(3);
    pair().sender.post(RevokeCode{EnginePair::kShare});
    expect_wrong(0);
    const auto late = stranger(right_words());
    late->knock();
    EXPECT_EQ(pair().sender.wait_for<FailedEvent>(of_peer<FailedEvent>(late->peer())).error.code,
              ErrorCode::BadArgument)
        << "there is no code";
    move_to("4821");
    expect_still_serving();
}

TEST_F(Strangers, AShareThatIsNoneFreesItsPlaceAtOnce) {
    share_files();
    for (int count = 0; count < 6; ++count) {
        const auto one = stranger();
        auto payload = decode_payload(one->opening());
        ASSERT_TRUE(payload);
        std::get<Pake1>(*payload).share = {};
        one->introduce();
        one->say(encode_payload(*payload));
        EXPECT_EQ(pair().sender.wait_for<FailedEvent>(of_peer<FailedEvent>(one->peer())).error.code,
                  ErrorCode::PeerProtocol);
        EXPECT_TRUE(one->heard_nothing());
    }
    expect_still_serving();
}

TEST_F(Strangers, AnIdleRunIsEndedWhenOthersWait) {
    share_files();
    const auto silent = three();
    expect_still_serving();
    EXPECT_EQ(pair().sender.wait_for<FailedEvent>().error.code, ErrorCode::RateLimited);
}

TEST_F(Strangers, AResumingReceiverDoesNotWaitForStrangers) {
    share_files();
    const auto key = key_of_one_who_is_in();
    std::vector<std::unique_ptr<Stranger>> crowd;
    for (int count = 0; count < 250; ++count) {
        crowd.push_back(stranger());
        if (count % 2 == 0) {
            crowd.back()->knock();
        } else {
            crowd.back()->introduce();
        }
    }
    pair().join(4, "back", ByResumeKey{key});
    pair().receiver.wait_for<OfferEvent>(of_session<OfferEvent>(4));
    pair().sender.wait_for<UnauthenticatedLoadEvent>(
        [](const UnauthenticatedLoadEvent &event) { return event.high; });
}

TEST_F(Strangers, AKeyOpensOnePlaceHoweverOftenItIsUsedAtOnce) {
    share_files();
    const auto key = key_of_one_who_is_in();
    for (SessionNumber session = 4; session < 10; ++session) {
        pair().join(session, "r" + std::to_string(session), ByResumeKey{key});
    }
    std::set<std::string> ended;
    pair().sender.wait_for<FailedEvent>([&](const FailedEvent &event) {
        ended.insert(event.peer);
        return ended.size() == 6;
    });
    EXPECT_TRUE(ended.contains("r3")) << "its place was taken by the one that came back";
    const auto returned = [](const GreetedEvent &event) { return event.peer != "r3"; };
    const auto winner = pair().sender.wait_for<GreetedEvent>(returned).peer;
    EXPECT_FALSE(ended.contains(winner));
    EXPECT_EQ(pair().sender.count<GreetedEvent>(returned), 1U);
}

TEST_F(Strangers, AResumingReceiverKeepsItsKeyUntilItKnowsTheNewOne) {
    share_files();
    const auto key = key_of_one_who_is_in();
    for (int times = 0; times < 2; ++times) {
        const auto lost = hostile({.secret = PairingSecret::key(PairingSecret::Kind::Resume, key)});
        pair().sender.wait_for<ConnectedEvent>(of_peer<ConnectedEvent>(lost->peer()));
    }
    pair().join(5, "r5", ByResumeKey{key});
    pair().receiver.wait_for<OfferEvent>(of_session<OfferEvent>(5));
    EXPECT_EQ(pair().sender.wait_for<FailedEvent>(of_peer<FailedEvent>("r3")).error.code,
              ErrorCode::PeerGone)
        << "the connection before";
    pair().accept({}, {}, 5);
    pair().sender.wait_for<AcceptedEvent>(of_peer<AcceptedEvent>("r5"));
    pair().join(6, "r6", ByResumeKey{key});
    EXPECT_EQ(pair().receiver.wait_for<FailedEvent>(of_session<FailedEvent>(6)).error.code,
              ErrorCode::CodeMismatch)
        << "it has another key now";
}

TEST_F(Strangers, ResumingAgainEndsAConnectionThatTheReceiverDoesNotKnow) {
    share_files();
    const auto key = key_of_one_who_is_in();
    const auto silent = hostile({.secret = PairingSecret::key(PairingSecret::Kind::Resume, key)});
    pair().sender.wait_for<ConnectedEvent>(of_peer<ConnectedEvent>(silent->peer()));
    pair().join(4, "r4", ByResumeKey{key});
    pair().receiver.wait_for<OfferEvent>(of_session<OfferEvent>(4));
    EXPECT_EQ(failure_of(*silent), ErrorCode::PeerGone);
}

TEST_F(Strangers, WhoWasSentAwayDoesNotComeBackByItsKey) {
    share_files();
    const auto key = key_of_one_who_is_in();
    pair().sender.post(DisconnectPeer{EnginePair::kShare, "r3"});
    pair().join(4, "r4", ByResumeKey{key});
    EXPECT_EQ(pair().receiver.wait_for<FailedEvent>(of_session<FailedEvent>(4)).error.code,
              ErrorCode::CodeMismatch);
}

TEST_F(Strangers, AReceiverDisconnectedWhileResumingCannotResumeAgain) {
    share_files();
    const auto key = key_of_one_who_is_in();
    const auto silent = stranger(PairingSecret::key(PairingSecret::Kind::Resume, key));
    silent->knock();
    ASSERT_TRUE(silent->hear());
    silent->speak();
    pair().sender.wait_for<PairingDoneEvent>(of_peer<PairingDoneEvent>(silent->peer()));
    pair().sender.post(DisconnectPeer{EnginePair::kShare, silent->peer()});
    pair().join(4, "r4", ByResumeKey{key});
    EXPECT_EQ(pair().receiver.wait_for<FailedEvent>(of_session<FailedEvent>(4)).error.code,
              ErrorCode::CodeMismatch);
}

TEST_F(Strangers, AReceiverThatTimedOutWhileResumingMayResumeAgain) {
    share_files();
    const auto key = key_of_one_who_is_in();
    pair().sender.post(DisconnectPeer{EnginePair::kShare, "r3", true});
    pair().join(4, "r4", ByResumeKey{key});
    pair().receiver.wait_for<OfferEvent>(of_session<OfferEvent>(4));
}

TEST_F(Strangers, AFinishedReceiverResumesOnlyWhereThereIsRoom) {
    share_files();
    const auto key = key_of_one_who_is_in();
    pair().receiver.post(Accept{3, pair().target().string(), {}, {}});
    pair().sender.wait_for<FinishedEvent>(of_peer<FinishedEvent>("r3"));
    pair().sender.post(SetMaxReceivers{EnginePair::kShare, 0});
    pair().join(4, "r4", ByResumeKey{key});
    EXPECT_EQ(pair().receiver.wait_for<FailedEvent>(of_session<FailedEvent>(4)).error.code,
              ErrorCode::TooManyReceivers);
    pair().sender.post(SetMaxReceivers{EnginePair::kShare, 1});
    pair().join(5, "r5", ByResumeKey{key});
    pair().receiver.wait_for<OfferEvent>(of_session<OfferEvent>(5));
}

TEST_F(Strangers, TheLastPlaceGoesToTheFirstProof) {
    share_files();
    pair().sender.post(SetMaxReceivers{EnginePair::kShare, 1});
    const auto first = stranger(right_words());
    const auto second = stranger(right_words());
    for (auto *each : {first.get(), second.get()}) {
        each->knock();
        ASSERT_TRUE(each->hear());
    }
    first->speak();
    second->speak();
    EXPECT_TRUE(first->hear()) << "the sender's proof";
    EXPECT_EQ(second->refusal(), ErrorCode::TooManyReceivers);
    pair().sender.wait_for<PairingDoneEvent>();
    EXPECT_EQ(pair().sender.count<PairingDoneEvent>(), 1U);
}

TEST_F(Strangers, TheLastPlaceMayGoToAResumingReceiver) {
    share_files();
    pair().sender.post(SetMaxReceivers{EnginePair::kShare, 1});
    const auto key = key_of_one_who_is_in();
    pair().receiver.post(EndSession{3});
    pair().sender.wait_for<FailedEvent>(of_peer<FailedEvent>("r3"));
    const auto other = stranger(right_words());
    other->knock();
    ASSERT_TRUE(other->hear()) << "there is a place";
    pair().join(4, "r4", ByResumeKey{key});
    pair().receiver.wait_for<OfferEvent>(of_session<OfferEvent>(4));
    other->speak();
    EXPECT_EQ(other->refusal(), ErrorCode::TooManyReceivers);
    EXPECT_EQ(pair().sender.count<PairingDoneEvent>(), 2U);
}

TEST_F(Strangers, ACodeForOneReceiverLetsInOneHoweverManyAreAboutTo) {
    share_files();
    pair().sender.post(EndSession{EnginePair::kShare});
    pair().sender.post(OpenShare{.session = EnginePair::kShare,
                                 .items = {{.path = pair().source().string()}},
                                 .one_receiver = true,
                                 .name = "Mina"});
    move_to("4821");
    const auto first = stranger(right_words());
    const auto second = stranger(right_words());
    for (auto *each : {first.get(), second.get()}) {
        each->knock();
        ASSERT_TRUE(each->hear());
    }
    first->speak();
    second->speak();
    EXPECT_EQ(second->refusal(), ErrorCode::TooManyReceivers);
    pair().sender.post(DisconnectPeer{EnginePair::kShare, first->peer()});
    pair().sender.wait_for<FailedEvent>(of_peer<FailedEvent>(first->peer()));
    const auto late = stranger(right_words());
    late->knock();
    EXPECT_EQ(late->refusal(), ErrorCode::TooManyReceivers) << "its place is not given again";
}

double cpu_seconds() {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

TEST_F(Strangers, WhoHasEverythingAndStaysCostsNothing) {
    pair().sender.post(SetContacts{.own = SigningKey::create().seed(), .contacts = {}});
    share_files();
    const auto evil = hostile();
    greet(*evil);
    // Between contacts the goodbye takes five seconds; others have a minute to become contacts.
    pair().sender.post(RequestContact{EnginePair::kShare, evil->peer()});
    evil->control(*evil->contact_exchange().request(SigningKey::create()));
    pair().sender.wait_for<ContactAddedEvent>();
    evil->control(Request{entries()});
    evil->wait_for_bytes(2 * kFileBytes);
    // Outdated figures are not reported.
    evil->control(Progress{.files = 1, .bytes = 10});
    evil->control(Done{.entries = entries(), .files = 2, .bytes = 2 * kFileBytes});
    pair().sender.wait_for<FinishedEvent>();
    const auto before = cpu_seconds();
    evil->wait_for_end();
    EXPECT_LT(cpu_seconds() - before, 0.5) << "of the five seconds that the goodbye may take";
}

} // namespace
} // namespace thru
