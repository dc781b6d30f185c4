// Who gets in, by what, and what two engines then know of each other.
#include <algorithm>

#include <gtest/gtest.h>

#include "crypto/random.h"
#include "engine/engine_pair.h"

namespace thru {
namespace {

bool same(const SecretKey &a, const SecretKey &b) { return std::ranges::equal(a.view(), b.view()); }

template <class E> auto of_session(SessionNumber session) {
    return [session](const E &event) { return event.session == session; };
}

struct SharedFile : EnginePair {
    SharedFile() { write_source("a.bin", 100'000); }
    void start_sharing(const std::string &words = "apple-banana-cactus") {
        start({source().string()}, words);
    }
};

TEST(EnginePairing, PAIR13_BothSidesShowTheSameSafetyNumber) {
    SharedFile pair;
    pair.start_sharing();
    const auto at_sender = pair.sender.wait_for<PairingDoneEvent>();
    const auto at_receiver = pair.receiver.wait_for<PairingDoneEvent>();
    EXPECT_EQ(at_sender.safety.size(), 6U);
    EXPECT_EQ(at_sender.safety, at_receiver.safety);
    EXPECT_TRUE(at_sender.contact.empty());
}

TEST(EnginePairing, AWrongGuessIsCountedAndTold) {
    SharedFile pair;
    pair.start_sharing("apple-banana-anchor");
    const auto guesses = pair.sender.wait_for<GuessesEvent>();
    EXPECT_EQ(guesses.wrong, 1U);
    EXPECT_FALSE(guesses.locked);
    EXPECT_EQ(pair.receiver.wait_for<FailedEvent>().error.code, ErrorCode::CodeMismatch);
    EXPECT_EQ(pair.sender.count<ConnectedEvent>(), 0U);
}

TEST(EnginePairing, PAIR07_TenReceiversAtTheSameInstantAllConnect) {
    SharedFile pair;
    pair.start_sharing();
    for (SessionNumber session = 3; session < 12; ++session) {
        pair.join(session, "r" + std::to_string(session));
    }
    for (SessionNumber session = 2; session < 12; ++session) {
        pair.receiver.wait_for<OfferEvent>(of_session<OfferEvent>(session));
    }
    EXPECT_EQ(pair.sender.count<ConnectedEvent>(), 10U);
}

TEST(EnginePairing, AReceiverComesBackByItsKeyEvenToAFullShare) {
    SharedFile pair;
    pair.start_sharing();
    pair.receiver.wait_for<OfferEvent>();
    const auto first = pair.receiver.wait_for<ResumeKeyEvent>();
    pair.sender.post(SetMaxReceivers{EnginePair::kShare, 1});

    pair.join(3, "back", ByResumeKey{first.key});
    pair.receiver.wait_for<OfferEvent>(of_session<OfferEvent>(3));
    const auto second = pair.receiver.wait_for<ResumeKeyEvent>(of_session<ResumeKeyEvent>(3));
    EXPECT_FALSE(same(first.key, second.key));

    pair.join(4, "old key", ByResumeKey{first.key});
    EXPECT_EQ(pair.receiver.wait_for<FailedEvent>(of_session<FailedEvent>(4)).error.code,
              ErrorCode::CodeMismatch);
    EXPECT_EQ(pair.sender.count<GuessesEvent>(), 0U) << "a key is no guess";
}

TEST(EnginePairing, TwoWhoKeepEachOtherNeedNoWordsLater) {
    SharedFile pair;
    const auto mina = SigningKey::create();
    const auto jonas = SigningKey::create();
    pair.sender.post(SetContacts{.own = mina.seed(), .contacts = {}});
    pair.receiver.post(SetContacts{.own = jonas.seed(), .contacts = {}});
    pair.start_sharing();
    pair.receiver.wait_for<OfferEvent>();

    pair.receiver.post(KeepContact{EnginePair::kReceive, "s"});
    pair.sender.wait_for<ContactWantedEvent>();
    EXPECT_EQ(pair.sender.count<ContactKeptEvent>(), 0U) << "never without being asked";
    pair.sender.post(KeepContact{EnginePair::kShare, "r"});
    const auto at_sender = pair.sender.wait_for<ContactKeptEvent>();
    const auto at_receiver = pair.receiver.wait_for<ContactKeptEvent>();
    EXPECT_EQ(at_sender.contact.public_key, jonas.public_key());
    EXPECT_EQ(at_receiver.contact.public_key, mina.public_key());
    ASSERT_TRUE(same(at_sender.contact.shared, at_receiver.contact.shared));

    const auto shared = at_sender.contact.shared;
    pair.sender.post(SetContacts{
        .own = mina.seed(),
        .contacts = {{.id = "jonas", .public_key = jonas.public_key(), .shared = shared}}});
    pair.receiver.post(SetContacts{
        .own = jonas.seed(),
        .contacts = {{.id = "mina", .public_key = mina.public_key(), .shared = shared}}});
    pair.join(3, "contact", ByContact{"mina"});
    pair.receiver.wait_for<OfferEvent>(of_session<OfferEvent>(3));
    EXPECT_EQ(pair.receiver.wait_for<PairingDoneEvent>(of_session<PairingDoneEvent>(3)).contact,
              "mina");
    const auto by_contact = [](const PairingDoneEvent &done) { return done.peer == "contact"; };
    EXPECT_EQ(pair.sender.wait_for<PairingDoneEvent>(by_contact).contact, "jonas");

    pair.sender.post(SetContacts{.own = mina.seed(), .contacts = {}});
    pair.join(4, "removed", ByContact{"mina"});
    EXPECT_EQ(pair.receiver.wait_for<FailedEvent>(of_session<FailedEvent>(4)).error.code,
              ErrorCode::ContactUnknown);
}

TEST(EnginePairing, AThiefOfTheSharedSecretAloneIsNotLetIn) {
    SharedFile pair;
    const auto mina = SigningKey::create();
    const auto jonas = SigningKey::create();
    const auto thief = SigningKey::create();
    SecretKey shared;
    random_bytes(shared.mutable_view());
    pair.sender.post(SetContacts{
        .own = mina.seed(),
        .contacts = {{.id = "jonas", .public_key = jonas.public_key(), .shared = shared}}});
    pair.receiver.post(SetContacts{
        .own = thief.seed(),
        .contacts = {{.id = "mina", .public_key = mina.public_key(), .shared = shared}}});
    pair.start_sharing();
    pair.join(3, "thief", ByContact{"mina"});
    EXPECT_EQ(pair.receiver.wait_for<FailedEvent>(of_session<FailedEvent>(3)).error.code,
              ErrorCode::PeerIdentity);
    const auto of_thief = [](const FailedEvent &failed) { return failed.peer == "thief"; };
    EXPECT_EQ(pair.sender.wait_for<FailedEvent>(of_thief).error.code, ErrorCode::PeerIdentity);
    const auto connected = [&] { return pair.sender.count<ConnectedEvent>(); };
    pair.receiver.wait_for<OfferEvent>();
    EXPECT_EQ(connected(), 1U) << "only the one with the words";
}

} // namespace
} // namespace thru
