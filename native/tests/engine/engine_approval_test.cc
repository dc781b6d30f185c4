// Shares whose user approves each receiver.
#include <algorithm>

#include <gtest/gtest.h>

#include "crypto/signature.h"
#include "engine/hostile/hostile_receiver.h"
#include "engine/share/approval_policy.h"
#include "engine/share/share_admission.h"

namespace thru {
namespace {

template <class E> auto of_receiver(std::string peer) {
    return [peer = std::move(peer)](const E &event) { return event.peer == peer; };
}

struct ApprovingShare : EnginePair {
    explicit ApprovingShare(OpenShare options = {}) {
        write_source("a.bin", 100'000);
        open(std::move(options));
    }
    void open(OpenShare options) {
        options.session = kShare;
        options.items = {{.path = source().string()}};
        options.approval = true;
        options.name = "Mina";
        sender.post(std::move(options));
        sender.post(SetCode{kShare, std::string(kNameplate) + "-" + kWords});
    }
    /// Starts another receive, which waits for approval.
    std::string ask(SessionNumber session) {
        const auto peer = "r" + std::to_string(session);
        join(session, peer, ByWords{kWords}, {static_cast<std::uint8_t>(session)});
        receiver.wait_for<ApprovalRequestedEvent>(of_session<ApprovalRequestedEvent>(session));
        sender.wait_for<ApprovalRequestedEvent>(of_receiver<ApprovalRequestedEvent>(peer));
        return peer;
    }
    void answer(const std::string &peer, bool approved) {
        sender.post(ApprovePeer{kShare, peer, approved});
    }
    void wait_for_offer(SessionNumber session) {
        receiver.wait_for<OfferEvent>(of_session<OfferEvent>(session));
    }
    ErrorCode failure(SessionNumber session) {
        return receiver.wait_for<FailedEvent>(of_session<FailedEvent>(session)).error.code;
    }
};

TEST(EngineApproval, NothingOfTheShareIsSentBeforeTheAnswer) {
    ApprovingShare pair;
    pair.sender.post(SetContacts{.own = SigningKey::create().seed(), .contacts = {}});
    HostileReceiver eve(pair, "eve");
    eve.control(Hello{.name = "Eve"});
    eve.wait_for<ApprovalRequested>();
    const auto greeting = eve.bytes();
    pair.sender.wait_for<ApprovalRequestedEvent>();
    EXPECT_FALSE(pair.sender.wait_for<PairingDoneEvent>().approved);
    pair.sender.wait_for<ScanEvent>([](const ScanEvent &event) { return event.complete; });
    pair.sender.post(AddItems{EnginePair::kShare, {{.text = "later", .name = "note"}}});
    pair.sender.wait_for<ScanEvent>(
        [](const ScanEvent &event) { return event.complete && event.files == 2; });
    // Messages sent earlier would arrive before this one.
    pair.sender.post(RequestContact{EnginePair::kShare, "eve"});
    eve.wait_for<ContactRequest>();
    Bytes request;
    encode(ContactRequest{}, request);
    EXPECT_EQ(eve.bytes(), greeting + request.size());

    pair.answer("eve", true);
    EXPECT_EQ(eve.wait_for<Offer>().files, 2U);
    EXPECT_EQ(pair.sender.wait_for<ApprovedEvent>().peer, "eve");
    EXPECT_EQ(eve.wait_for_checkpoint(0), 3U);
}

TEST(EngineApproval, NothingIsPrefetchedBeforeTheAnswer) {
    ApprovingShare pair;
    pair.sender.post(SetContacts{.own = SigningKey::create().seed(), .contacts = {}});
    HostileReceiver eve(pair, "eve");
    eve.control(Hello{.name = "Eve"});
    eve.control(Prefetch{kMaxPrefetchBytes});
    eve.wait_for<ApprovalRequested>();
    const auto greeting = eve.bytes();
    // An answer to a question that was not asked yet is ignored.
    pair.sender.wait_for<ApprovalRequestedEvent>();
    // Messages sent earlier would arrive before this one.
    pair.sender.post(RequestContact{EnginePair::kShare, "eve"});
    eve.wait_for<ContactRequest>();
    Bytes request;
    encode(ContactRequest{}, request);
    EXPECT_EQ(eve.bytes(), greeting + request.size());
    pair.answer("eve", true);
    // A segment of one piece, the share's only file.
    eve.wait_for_text(std::string("\x03\x02\x01\x01\x00", 5));
    EXPECT_EQ(pair.sender.count<AcceptedEvent>(), 0U);
}

TEST(EngineApproval, AReceiverThatIsLetInGetsEverything) {
    ApprovingShare pair;
    pair.answer(pair.ask(3), true);
    pair.wait_for_offer(3);
    pair.accept({}, {}, 3);
    EXPECT_EQ(pair.receiver.wait_for<FinishedEvent>().files, 1U);
    EXPECT_TRUE(pair.same_trees(pair.source()));
}

TEST(EngineApproval, ARefusedReceiveEndsAndIsNotAskedAboutAgain) {
    ApprovingShare pair;
    pair.answer(pair.ask(3), false);
    EXPECT_EQ(pair.failure(3), ErrorCode::Refused);
    EXPECT_EQ(pair.sender.wait_for<FailedEvent>().error.code, ErrorCode::Refused);

    pair.join(4, "again", ByWords{EnginePair::kWords}, {3});
    EXPECT_EQ(pair.failure(4), ErrorCode::Refused);
    EXPECT_EQ(pair.sender.count<ApprovalRequestedEvent>(), 1U);
    pair.ask(5);
}

TEST(EngineApproval, WhoWasLetInComesBackWithoutAQuestionAndAfterARestart) {
    ApprovingShare pair;
    pair.answer(pair.ask(3), true);
    pair.wait_for_offer(3);
    const auto first = pair.receiver.wait_for<ResumeKeyEvent>().key;
    pair.join(4, "back", ByResumeKey{first}, {3});
    pair.wait_for_offer(4);
    const auto second = pair.receiver.wait_for<ResumeKeyEvent>(of_session<ResumeKeyEvent>(4)).key;
    pair.sender.wait_for<GreetedEvent>(of_receiver<GreetedEvent>("back"));

    const auto record = pair.sender
                            .wait_for<AdmissionEvent>([&](const AdmissionEvent &event) {
                                return event.record.receivers.size() == 1 &&
                                       event.record.receivers[0].is_either(second);
                            })
                            .record;
    pair.sender.post(SuspendShare{EnginePair::kShare});
    EXPECT_EQ(pair.failure(4), ErrorCode::PeerGone);
    pair.open({.restored = record});
    pair.join(5, "later", ByResumeKey{second}, {3});
    pair.wait_for_offer(5);
    EXPECT_EQ(pair.sender.count<ApprovalRequestedEvent>(), 1U);
}

TEST(EngineApproval, NoKeyIsKeptOfAReceiverThatWaits) {
    ApprovingShare pair;
    pair.ask(3);
    const auto key = pair.receiver.wait_for<ResumeKeyEvent>().key;
    EXPECT_EQ(pair.sender.count<AdmissionEvent>(), 0U);
    pair.join(4, "back", ByResumeKey{key}, {3});
    EXPECT_EQ(pair.failure(4), ErrorCode::CodeMismatch);
}

TEST(EngineApproval, WhoWaitsHoldsNoPlaceAndLeavesWhenTheLastIsTaken) {
    for (const bool one_receiver : {false, true}) {
        ApprovingShare pair({.max_receivers = 1, .one_receiver = one_receiver});
        pair.ask(3);
        pair.answer(pair.ask(4), true);
        pair.wait_for_offer(4);
        EXPECT_EQ(pair.failure(3), ErrorCode::TooManyReceivers);
    }
}

TEST(EngineApproval, AContactIsAskedAboutToo) {
    ApprovingShare pair;
    const auto mina = SigningKey::create();
    const auto jonas = SigningKey::create();
    const SecretKey shared = SigningKey::create().seed();
    pair.sender.post(SetContacts{
        .own = mina.seed(),
        .contacts = {{.id = "jonas", .public_key = jonas.public_key(), .shared = shared}}});
    pair.receiver.post(SetContacts{
        .own = jonas.seed(),
        .contacts = {{.id = "mina", .public_key = mina.public_key(), .shared = shared}}});
    pair.join(3, "contact", ByContact{"mina"});
    EXPECT_EQ(pair.sender.wait_for<ApprovalRequestedEvent>().peer, "contact");
    pair.answer("contact", true);
    pair.wait_for_offer(3);
}

TEST(EngineApproval, WhenNobodyHasToBeApprovedAnyMoreThoseWhoWaitAreLetIn) {
    ApprovingShare pair;
    pair.ask(3);
    pair.ask(4);
    pair.sender.post(SetApproval{EnginePair::kShare, false});
    pair.wait_for_offer(3);
    pair.wait_for_offer(4);
    pair.join(5, "r5", ByWords{EnginePair::kWords}, {5});
    pair.wait_for_offer(5);
    pair.sender.post(SetApproval{EnginePair::kShare, true});
    pair.ask(6);
    EXPECT_EQ(pair.sender.count<ApprovalRequestedEvent>(), 3U);
}

TEST(EngineApproval, AQuestionWithoutAnAnswerEnds) {
    ApprovingShare pair;
    pair.ask(3);
    pair.sender.advance(kApprovalTimeout);
    EXPECT_EQ(pair.sender.wait_for<FailedEvent>().error.code, ErrorCode::Unanswered);
}

TEST(EngineApproval, NoMoreThanTenWaitAtATime) {
    ApprovingShare pair({.max_receivers = 100});
    for (SessionNumber session = 3; session < 13; ++session) {
        pair.ask(session);
        pair.sender.advance(2 * kSecond);
    }
    pair.join(13, "r13", ByWords{EnginePair::kWords}, {13});
    EXPECT_EQ(pair.failure(13), ErrorCode::RateLimited);
    pair.answer("r3", true);
    pair.wait_for_offer(3);
    pair.ask(14);
}

TEST(ApprovalPolicy, APersonIsAskedTwentyTimesAndThenEveryQuarterOfAMinute) {
    ApprovalPolicy policy(true);
    const Timestamp start = kSecond;
    for (std::uint8_t receive = 0; receive < 20; ++receive) {
        EXPECT_TRUE(policy.ask({receive}, start));
    }
    EXPECT_EQ(policy.ask({20}, start).error().code, ErrorCode::RateLimited);
    EXPECT_TRUE(policy.ask({20}, start + kTimeForQuestion));
    EXPECT_EQ(policy.ask({21}, start + kTimeForQuestion).error().code, ErrorCode::RateLimited);
}

TEST(ApprovalPolicy, OnlyTheLatestRefusalsAreRemembered) {
    ApprovalPolicy policy(true);
    const auto receive = [](std::size_t number) {
        return WireId{static_cast<std::uint8_t>(number), static_cast<std::uint8_t>(number >> 8)};
    };
    for (std::size_t number = 0; number <= kMaxRefused; ++number) {
        policy.refuse(receive(number));
    }
    EXPECT_TRUE(policy.ask(receive(0), kSecond));
    EXPECT_EQ(policy.ask(receive(1), kSecond).error().code, ErrorCode::Refused);
    EXPECT_EQ(policy.ask(receive(kMaxRefused), kSecond).error().code, ErrorCode::Refused);
}

} // namespace
} // namespace thru
