// Admission of receivers, and what two engines know of each other afterwards.
#include <algorithm>

#include <gtest/gtest.h>

#include "crypto/random.h"
#include "engine/engine_pair.h"

namespace thru {
namespace {

bool same(const SecretKey &a, const SecretKey &b) { return std::ranges::equal(a.view(), b.view()); }

struct SharedFile : EnginePair {
    SharedFile() { write_source("a.bin", 100'000); }
    void start_sharing(const std::string &words = "apple-banana-cactus") {
        start({source().string()}, words);
    }
    /// Shares again, as after a restart.
    void share_again(AdmissionRecord record, std::size_t max_receivers) {
        sender.post(OpenShare{.session = kShare,
                              .items = {{.path = source().string()}},
                              .max_receivers = max_receivers,
                              .name = "Mina",
                              .restored = std::move(record)});
        sender.post(SetCode{kShare, std::string(kNameplate) + "-" + kWords});
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

TEST(EnginePairing, AWrongGuessIsCountedAndReported) {
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
        const auto peer = session == EnginePair::kReceive ? "r" : "r" + std::to_string(session);
        pair.sender.wait_for<ConnectedEvent>(
            [&](const ConnectedEvent &connected) { return connected.peer == peer; });
    }
    EXPECT_EQ(pair.sender.count<ConnectedEvent>(), 10U);
}

TEST(EnginePairing, AReceiverResumesByItsKeyEvenAtAFullShare) {
    SharedFile pair;
    pair.start_sharing();
    pair.receiver.wait_for<OfferEvent>();
    const auto first = pair.receiver.wait_for<ResumeKeyEvent>();
    pair.sender.post(SetMaxReceivers{EnginePair::kShare, 1});

    pair.join(3, "back", ByResumeKey{first.key});
    pair.receiver.wait_for<OfferEvent>(of_session<OfferEvent>(3));
    const auto second = pair.receiver.wait_for<ResumeKeyEvent>(of_session<ResumeKeyEvent>(3));
    EXPECT_FALSE(same(first.key, second.key));
    pair.accept({}, {}, 3);
    pair.sender.wait_for<AcceptedEvent>(
        [](const AcceptedEvent &accepted) { return accepted.peer == "back"; });

    pair.join(4, "old key", ByResumeKey{first.key});
    EXPECT_EQ(pair.receiver.wait_for<FailedEvent>(of_session<FailedEvent>(4)).error.code,
              ErrorCode::CodeMismatch);
    EXPECT_EQ(pair.sender.count<GuessesEvent>(), 0U) << "a key is no guess";
}

TEST(EnginePairing, AnOldKeyStaysUntilTheReceiverHasTheNewOne) {
    SharedFile pair;
    pair.start_sharing();
    pair.receiver.wait_for<OfferEvent>();
    const auto first = pair.receiver.wait_for<ResumeKeyEvent>();
    pair.join(3, "back", ByResumeKey{first.key});
    pair.sender.wait_for<GreetedEvent>(
        [](const GreetedEvent &greeted) { return greeted.peer == "back"; });
    // The receiver is killed before it has stored the new key.
    pair.join(4, "again", ByResumeKey{first.key});
    pair.receiver.wait_for<OfferEvent>(of_session<OfferEvent>(4));
    EXPECT_EQ(pair.receiver.wait_for<FailedEvent>(of_session<FailedEvent>(3)).error.code,
              ErrorCode::PeerGone);
}

TEST(EnginePairing, AReceiverHasNoKeyThatTheSenderHasNotStored) {
    SharedFile pair;
    pair.stores_admission = true;
    pair.start_sharing();
    const auto stored = pair.sender.wait_for<AdmissionEvent>();
    ASSERT_EQ(stored.record.receivers.size(), 1U);
    EXPECT_EQ(pair.receiver.count<ResumeKeyEvent>(), 0U);
    pair.sender.post(ConfirmAdmission{EnginePair::kShare, stored.revision - 1});
    pair.sender.post(ConfirmAdmission{EnginePair::kShare, stored.revision});
    EXPECT_TRUE(same(pair.receiver.wait_for<ResumeKeyEvent>().key, stored.record.receivers[0].key));

    // A sender that stores nothing admits no one.
    pair.join(3, "later");
    pair.sender.wait_for<PairingDoneEvent>(
        [](const PairingDoneEvent &done) { return done.peer == "later"; });
    pair.sender.advance(60 * kSecond);
    pair.sender.wait_for<FailedEvent>(
        [](const FailedEvent &failed) { return failed.peer == "later"; });
    EXPECT_EQ(pair.receiver.count<ResumeKeyEvent>(), 1U);
}

TEST(EnginePairing, AShareThatIsOpenedAgainAdmitsWhomItAdmittedBefore) {
    SharedFile pair;
    pair.start_sharing();
    pair.receiver.wait_for<OfferEvent>();
    const auto key = pair.receiver.wait_for<ResumeKeyEvent>().key;
    const auto greeted = pair.receiver.wait_for<GreetedEvent>();
    const auto record = pair.sender.wait_for<AdmissionEvent>().record;
    ASSERT_EQ(record.receivers.size(), 1U);
    EXPECT_TRUE(same(record.receivers[0].key, key));
    EXPECT_TRUE(record.receivers[0].has_place);

    pair.sender.post(SuspendShare{EnginePair::kShare});
    EXPECT_EQ(pair.receiver.wait_for<FailedEvent>().error.code, ErrorCode::PeerGone)
        << "it looks for the sender";
    pair.share_again(record, 0);
    pair.join(3, "back", ByResumeKey{key});
    pair.receiver.wait_for<OfferEvent>(of_session<OfferEvent>(3));
    EXPECT_EQ(pair.receiver.wait_for<GreetedEvent>(of_session<GreetedEvent>(3)).id, greeted.id);
}

TEST(EnginePairing, ARestartSparesNoGuesses) {
    SharedFile pair;
    pair.share_again({.share = {1}, .wrong = 49, .wrong_of_share = 120}, 10);
    EXPECT_EQ(pair.sender.wait_for<GuessesEvent>().wrong, 49U);
    pair.join(3, "guesser", ByWords{"apple-banana-anchor"});
    const auto locked = pair.sender.wait_for<GuessesEvent>(
        [](const GuessesEvent &guesses) { return guesses.wrong == 50; });
    EXPECT_TRUE(locked.locked);
    const auto record = pair.sender.wait_for<AdmissionEvent>().record;
    EXPECT_EQ(record.wrong, 50U);
    EXPECT_EQ(record.wrong_of_share, 121U);
}

TEST(EnginePairing, ContactsNeedNoWordsLater) {
    SharedFile pair;
    const auto mina = SigningKey::create();
    const auto jonas = SigningKey::create();
    pair.sender.post(SetContacts{.own = mina.seed(), .contacts = {}});
    pair.receiver.post(SetContacts{.own = jonas.seed(), .contacts = {}});
    pair.start_sharing();
    pair.receiver.wait_for<OfferEvent>();

    pair.receiver.post(RequestContact{EnginePair::kReceive, "s"});
    pair.sender.wait_for<ContactRequestedEvent>();
    EXPECT_EQ(pair.sender.count<ContactAddedEvent>(), 0U) << "never without being asked";
    pair.sender.post(RequestContact{EnginePair::kShare, "r"});
    const auto at_sender = pair.sender.wait_for<ContactAddedEvent>();
    const auto at_receiver = pair.receiver.wait_for<ContactAddedEvent>();
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

TEST(EnginePairing, AContactRequestIsAnsweredAfterTheTransfer) {
    SharedFile pair;
    pair.sender.post(SetContacts{.own = SigningKey::create().seed(), .contacts = {}});
    pair.receiver.post(SetContacts{.own = SigningKey::create().seed(), .contacts = {}});
    pair.start_sharing();
    pair.receiver.wait_for<OfferEvent>();
    pair.receiver.post(RequestContact{EnginePair::kReceive, "s"});
    pair.accept();
    pair.receiver.wait_for<FinishedEvent>();
    pair.sender.wait_for<FinishedEvent>();
    pair.sender.post(RequestContact{EnginePair::kShare, "r"});
    pair.sender.wait_for<ContactAddedEvent>();
    pair.receiver.wait_for<ContactAddedEvent>();
    EXPECT_EQ(pair.receiver.count<FinishedEvent>(), 1U);
    EXPECT_EQ(pair.sender.count<FinishedEvent>(), 1U);
}

TEST(EnginePairing, AContactCanBeRequestedAfterTheTransfer) {
    SharedFile pair;
    pair.sender.post(SetContacts{.own = SigningKey::create().seed(), .contacts = {}});
    pair.receiver.post(SetContacts{.own = SigningKey::create().seed(), .contacts = {}});
    pair.start_sharing();
    pair.receiver.wait_for<OfferEvent>();
    pair.accept();
    pair.receiver.wait_for<FinishedEvent>();
    pair.sender.wait_for<FinishedEvent>();
    pair.receiver.post(RequestContact{EnginePair::kReceive, "s"});
    pair.sender.wait_for<ContactRequestedEvent>();
    pair.sender.post(RequestContact{EnginePair::kShare, "r"});
    pair.sender.wait_for<ContactAddedEvent>();
    pair.receiver.wait_for<ContactAddedEvent>();
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
    pair.receiver.wait_for<OfferEvent>();
    pair.sender.wait_for<ConnectedEvent>();
    EXPECT_EQ(pair.sender.count<ConnectedEvent>(), 1U) << "only the one with the words";
}

TEST(EnginePairing, KeysOfAnotherShareAndContactsOfOthersAreRefusedAndNoGuess) {
    SharedFile other;
    other.start_sharing();
    const auto key_there = other.receiver.wait_for<ResumeKeyEvent>().key;
    other.join(3, "back", ByResumeKey{key_there});
    other.receiver.wait_for<OfferEvent>(of_session<OfferEvent>(3));
    const auto newer_key_there =
        other.receiver.wait_for<ResumeKeyEvent>(of_session<ResumeKeyEvent>(3)).key;

    SharedFile pair;
    const auto mina = SigningKey::create();
    const auto jonas = SigningKey::create();
    const auto contact = [](const char *id, const SigningKey &key, std::uint8_t shared) {
        Contact known{.id = id, .public_key = key.public_key(), .shared = {}};
        known.shared.mutable_view().front() = shared;
        return known;
    };
    pair.sender.post(SetContacts{.own = mina.seed(), .contacts = {contact("jonas", jonas, 1)}});
    pair.receiver.post(
        SetContacts{.own = jonas.seed(),
                    .contacts = {contact("mina", mina, 1), contact("somebody else", mina, 2)}});
    pair.start_sharing();
    pair.join(3, "key", ByResumeKey{newer_key_there});
    EXPECT_EQ(pair.receiver.wait_for<FailedEvent>(of_session<FailedEvent>(3)).error.code,
              ErrorCode::CodeMismatch);
    pair.join(4, "contact", ByContact{"somebody else"});
    EXPECT_EQ(pair.receiver.wait_for<FailedEvent>(of_session<FailedEvent>(4)).error.code,
              ErrorCode::ContactUnknown);
    pair.join(5, "right contact", ByContact{"mina"});
    pair.receiver.wait_for<OfferEvent>(of_session<OfferEvent>(5));
    EXPECT_EQ(pair.sender.count<GuessesEvent>(), 0U);
}

TEST(EnginePairing, PAIR08_WhoJoinsLaterGetsItAllFromTheStart) {
    constexpr std::uint64_t kBytes = 20'000'000;
    EnginePair pair;
    pair.write_source("large.bin", kBytes);
    const auto accept = [&](SessionNumber session) {
        pair.receiver.wait_for<OfferEvent>(of_session<OfferEvent>(session));
        const auto folder = pair.target() / std::to_string(session);
        pair.receiver.post(Accept{session, folder.string(), {}, {}});
    };
    const auto join = [&](SessionNumber session) {
        pair.join(session, "r" + std::to_string(session));
        accept(session);
    };
    pair.sender.post(SetLimits{10'000'000, 0});
    pair.start({pair.source().string()});
    accept(EnginePair::kReceive);
    pair.receiver.wait_for<ProgressEvent>(
        [](const ProgressEvent &event) { return event.bytes > 1'000'000; });
    join(3);
    EXPECT_EQ(pair.receiver.count<FinishedEvent>(), 0U) << "during the first";
    pair.sender.post(SetLimits{0, 0});
    pair.receiver.wait_for<FinishedEvent>(of_session<FinishedEvent>(EnginePair::kReceive));
    join(4);
    pair.receiver.wait_for<FinishedEvent>(of_session<FinishedEvent>(3));
    pair.receiver.wait_for<FinishedEvent>(of_session<FinishedEvent>(4));
    join(5);
    for (SessionNumber session = 2; session <= 5; ++session) {
        const auto finished =
            pair.receiver.wait_for<FinishedEvent>(of_session<FinishedEvent>(session));
        EXPECT_EQ(finished.files, 1U);
        EXPECT_GE(finished.transferred, kBytes);
        const auto accepted =
            pair.receiver.wait_for<AcceptedEvent>(of_session<AcceptedEvent>(session));
        EXPECT_EQ(accepted.resumed_bytes, 0U);
    }
}

} // namespace
} // namespace thru
