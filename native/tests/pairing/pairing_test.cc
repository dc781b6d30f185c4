#include "pairing/pairing.h"

#include <array>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "pairing/pairing_ends.h"

namespace thru::test {
namespace {

/// Two ends that are both proven.
Ends paired() {
    Ends ends;
    EXPECT_TRUE(ends.pair());
    return ends;
}

TEST(Pairing, TwoSidesWithTheSameWordsDescribeThemselvesAndHaveTheSameKeys) {
    Ends ends;
    EXPECT_TRUE(ends.sender.take_payloads().empty()) << "the receiver speaks first";
    EXPECT_NE(find_event<PairingRequested>(ends.to_sender()), nullptr);
    EXPECT_FALSE(is_proven(ends.to_receiver()));

    const auto at_sender = ends.to_sender();
    const auto *receiver = find_event<PairingProven>(at_sender);
    ASSERT_NE(receiver, nullptr);
    EXPECT_EQ(receiver->peer.name, "Receiver");
    EXPECT_EQ(receiver->peer.fingerprint, description("Receiver").fingerprint);

    const auto at_receiver = ends.to_receiver();
    const auto *sender = find_event<PairingProven>(at_receiver);
    ASSERT_NE(sender, nullptr);
    EXPECT_EQ(sender->peer.name, "Sender");
    EXPECT_EQ(sender->peer.fingerprint, description("Sender").fingerprint);

    const auto &one = ends.sender.keys();
    const auto &other = ends.receiver.keys();
    EXPECT_TRUE(std::ranges::equal(one.bind_receiver.view(), other.bind_receiver.view()));
    EXPECT_TRUE(std::ranges::equal(one.bind_sender.view(), other.bind_sender.view()));
    EXPECT_TRUE(std::ranges::equal(one.resume.view(), other.resume.view()));
    EXPECT_EQ(one.transcript, other.transcript);
}

TEST(Pairing, BothSidesMayCheckTheWayByTheSameCredentialsTheSenderOnlyAfterTheProof) {
    const auto credentials = [](const Result<test::Events> &events) {
        const auto *keyed = find_event<PairingKeyed>(events);
        return keyed ? std::vector{keyed->own.ufrag, std::string(keyed->own.pwd.view()),
                                   keyed->peer.ufrag, std::string(keyed->peer.pwd.view())}
                     : std::vector<std::string>{};
    };
    Ends ends;
    EXPECT_TRUE(credentials(ends.to_sender()).empty()) << "nobody has proved anything";
    const auto receivers = credentials(ends.to_receiver());
    ASSERT_EQ(receivers.size(), 4U);
    const auto senders = credentials(ends.to_sender());
    ASSERT_EQ(senders.size(), 4U);
    EXPECT_EQ(senders, (std::vector{receivers[2], receivers[3], receivers[0], receivers[1]}));
    EXPECT_EQ(std::set(senders.begin(), senders.end()).size(), 4U);

    Ends guess(right_words(), wrong_words());
    guess.to_sender();
    const auto guessed = credentials(guess.to_receiver());
    ASSERT_EQ(guessed.size(), 4U) << "it can't know that they are wrong";
    EXPECT_TRUE(credentials(guess.to_sender()).empty());
}

TEST(Pairing, EveryKeyIsAnotherOne) {
    std::set<std::vector<std::uint8_t>> keys;
    for (int run = 0; run < 2; ++run) {
        const auto ends = paired();
        for (const auto *key : {&ends.sender.keys().bind_receiver, &ends.sender.keys().bind_sender,
                                &ends.sender.keys().resume}) {
            keys.emplace(key->view().begin(), key->view().end());
        }
    }
    EXPECT_EQ(keys.size(), 6U);
}

// PAIR-13
TEST(Pairing, SafetyDigitsAreSixAndEqualOnBothSides) {
    std::set<std::string> seen;
    for (int run = 0; run < 20; ++run) {
        const auto ends = paired();
        const auto &safety = ends.sender.keys().safety;
        EXPECT_EQ(safety, ends.receiver.keys().safety);
        EXPECT_TRUE(safety.size() == 6 &&
                    std::ranges::all_of(safety, [](char c) { return c >= '0' && c <= '9'; }))
            << safety;
        seen.insert(safety);
    }
    EXPECT_GT(seen.size(), 15U);
}

TEST(Pairing, TheSenderIsAskedWithKindRunAndHintAndAnswersNothingBefore) {
    const auto secret = key_secret(7, PairingSecret::Kind::Contact);
    auto receiver = new_receiver(secret);
    auto sender = new_sender();
    const auto events = test::pass_on(receiver, sender);
    const auto *request = find_event<PairingRequested>(events);
    ASSERT_NE(request, nullptr);
    EXPECT_EQ(request->kind, PairingSecret::Kind::Contact);
    EXPECT_EQ(request->hint, secret.hint(request->run));
    EXPECT_TRUE(sender.take_payloads().empty());

    auto with_words = new_receiver();
    auto other = new_sender();
    const auto by_words = test::pass_on(with_words, other);
    EXPECT_EQ(find_event<PairingRequested>(by_words)->kind, PairingSecret::Kind::Words);
    EXPECT_EQ(find_event<PairingRequested>(by_words)->hint, SecretHint{});
    EXPECT_NE(find_event<PairingRequested>(by_words)->run, request->run);
}

TEST(Pairing, LongSecretsPairLikeWords) {
    for (const auto kind : {PairingSecret::Kind::Resume, PairingSecret::Kind::Contact}) {
        EXPECT_TRUE((Ends{key_secret(1, kind), key_secret(1, kind)}.pair()));
    }
}

TEST(Pairing, OtherWordsAreAMismatchOnBothSidesAndSealNothing) {
    Ends ends{right_words(), wrong_words()};
    ends.sender.send_candidate(kCandidate);
    ASSERT_TRUE(ends.to_sender() && ends.to_receiver());
    EXPECT_EQ(code_of(ends.to_sender()), ErrorCode::CodeMismatch);
    const auto payloads = ends.sender.take_payloads();
    ASSERT_EQ(payloads.size(), 1U);
    EXPECT_TRUE(std::holds_alternative<FailurePayload>(decode_payload(payloads[0]).value()));
    EXPECT_EQ(code_of(ends.receiver.on_payload(payloads[0])), ErrorCode::CodeMismatch);
    EXPECT_TRUE(ends.receiver.take_payloads().empty()) << "a failure is not answered";
}

TEST(Pairing, AnotherNameplateIsAMismatch) {
    auto receiver = Pairing::receiver("4822", right_words(), description("Receiver"));
    Ends ends;
    ends.receiver = std::move(receiver);
    ASSERT_TRUE(ends.to_sender() && ends.to_receiver());
    EXPECT_EQ(code_of(ends.to_sender()), ErrorCode::CodeMismatch);
}

TEST(Pairing, ARefusalGivesTheReceiverTheReason) {
    for (const auto code : {ErrorCode::CodeMismatch, ErrorCode::CodeLocked, ErrorCode::RateLimited,
                            ErrorCode::TooManyReceivers, ErrorCode::ContactUnknown}) {
        auto receiver = new_receiver();
        auto sender = new_sender();
        ASSERT_TRUE(test::pass_on(receiver, sender));
        sender.refuse(code);
        sender.admit(right_words());
        EXPECT_EQ(code_of(test::pass_on(sender, receiver)), code);
        EXPECT_TRUE(sender.take_payloads().empty());
    }
}

TEST(Pairing, AFailedPairingStaysFailed) {
    Ends ends{right_words(), wrong_words()};
    ASSERT_TRUE(ends.to_sender() && ends.to_receiver());
    ASSERT_FALSE(ends.to_sender());
    auto other = new_receiver();
    for (const auto &payload : other.take_payloads()) {
        EXPECT_EQ(code_of(ends.sender.on_payload(payload)), ErrorCode::PeerProtocol);
    }
    ends.sender.take_payloads();
    ends.sender.admit(right_words());
    ends.sender.send_candidate(kCandidate);
    EXPECT_TRUE(ends.sender.take_payloads().empty());
}

TEST(Pairing, AnswersAnotherVersionWithItsOwn) {
    for (const auto version : std::to_array<std::uint8_t>({1, 3, 255})) {
        Ends ends;
        const auto other = test::changed(ends.receiver.take_payloads().at(0),
                                         [&](Bytes &bytes) { bytes[0] = version; });
        EXPECT_EQ(code_of(ends.sender.on_payload(other)), ErrorCode::PeerVersion);
        EXPECT_EQ(code_of(ends.to_receiver()), ErrorCode::PeerVersion);
        EXPECT_TRUE(ends.receiver.take_payloads().empty());
    }
}

TEST(Pairing, PayloadsFitTheServersLimitAndNeverRepeat) {
    auto own = description(std::string(64, 'n'));
    std::set<std::string> seen;
    std::size_t payloads = 0;
    for (int run = 0; run < 2; ++run) {
        Ends ends;
        ends.sender = Pairing::sender(std::string{test::kNameplate}, own);
        ends.receiver = Pairing::receiver(std::string{test::kNameplate}, right_words(), own);
        for (const auto &[from, to] : {std::pair{&ends.receiver, &ends.sender},
                                       {&ends.sender, &ends.receiver},
                                       {&ends.receiver, &ends.sender},
                                       {&ends.sender, &ends.receiver}}) {
            for (const auto &payload : from->take_payloads()) {
                EXPECT_LE(payload.size(), kMaxPayloadBytes);
                seen.insert(payload);
                ++payloads;
                ASSERT_TRUE(to->on_payload(payload));
            }
            if (from == &ends.receiver) {
                ends.sender.admit(right_words());
            }
        }
    }
    EXPECT_EQ(payloads, 8U);
    EXPECT_EQ(seen.size(), 8U);
}

TEST(Pairing, ANameThatPeersWouldRefuseIsMadeAcceptable) {
    Ends ends;
    auto own = description("Receiver");
    own.name = "Bad\nname" + std::string(100, 'x');
    ends.receiver = Pairing::receiver(std::string{test::kNameplate}, right_words(), own);
    ASSERT_TRUE(ends.to_sender() && ends.to_receiver());
    const auto proven = ends.to_sender();
    ASSERT_TRUE(is_proven(proven));
    EXPECT_TRUE(find_event<PairingProven>(proven)->peer.name.starts_with("Badnamexx"));
}

TEST(Pairing, CanBeMoved) {
    Ends ends;
    ASSERT_TRUE(ends.to_sender());
    auto moved = std::move(ends.sender);
    ends.sender = std::move(moved);
    EXPECT_TRUE(ends.to_receiver());
    EXPECT_TRUE(is_proven(ends.to_sender()));
}

TEST(Pairing, BothEndsNameAWrongGuessAlike) {
    test::Ends ends{test::right_words(), test::wrong_words()};
    ASSERT_TRUE(ends.to_sender() && ends.to_receiver());
    EXPECT_EQ(test::code_of(ends.to_sender()), ErrorCode::CodeMismatch);
    ASSERT_TRUE(ends.sender.guess());
    EXPECT_EQ(ends.sender.guess(), ends.receiver.guess());

    auto again = Pairing::receiver(std::string{test::kNameplate}, test::wrong_words(),
                                   test::description("Receiver"), ends.receiver.guess());
    auto elsewhere = test::new_sender();
    const auto asked = test::pass_on(again, elsewhere);
    const auto *request = test::find_event<PairingRequested>(asked);
    ASSERT_NE(request, nullptr);
    EXPECT_EQ(request->earlier, ends.sender.guess());
}

TEST(Pairing, ARightProofThatIsSpoiledNamesAnotherGuess) {
    test::Ends ends;
    ASSERT_TRUE(ends.to_sender() && ends.to_receiver());
    const auto proof = ends.receiver.take_payloads().at(0);
    const auto spoiled = test::changed(proof, [](auto &bytes) { bytes.at(18) ^= 1; });
    EXPECT_EQ(test::code_of(ends.sender.on_payload(spoiled)), ErrorCode::CodeMismatch);
    ASSERT_TRUE(ends.sender.guess() && ends.receiver.guess());
    EXPECT_NE(*ends.sender.guess(), *ends.receiver.guess());
}

} // namespace
} // namespace thru::test
