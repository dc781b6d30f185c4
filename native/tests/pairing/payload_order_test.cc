// SIG-12: a malformed or misplaced payload ends the run, and never counts as a guess.
#include <gtest/gtest.h>

#include "pairing/associated_data.h"
#include "pairing/hostile_receiver.h"
#include "pairing/pairing_ends.h"

namespace thru::test {
namespace {

template <class Pake> Pake decoded(const std::string &payload) {
    return std::get<Pake>(decode_payload(payload).value());
}

void expect_broken(Pairing &end, const PairingPayload &payload) {
    EXPECT_EQ(code_of(end.on_payload(encode_payload(payload))), ErrorCode::PeerProtocol);
    EXPECT_TRUE(end.take_payloads().empty());
}

/// Values that are not group elements: identity, too large, negative, and not a square.
std::vector<CpaceShare> bad_shares() {
    CpaceShare identity{};
    CpaceShare beyond{};
    beyond.fill(0xff);
    CpaceShare negative{};
    negative[0] = 1;
    CpaceShare high{};
    high.fill(0xff);
    high[0] = 0xed;
    high[31] = 0x7f;
    return {identity, beyond, negative, high};
}

TEST(PayloadOrder, ASenderAcceptsOnlyARequestFirst) { // SIG-12
    Ends ends;
    const auto request = decoded<Pake1>(ends.receiver.take_payloads().at(0));
    const ProofFields proof{.run = request.run, .tag = {}, .box = {}};
    for (const PairingPayload &payload :
         {PairingPayload{Pake2{request}}, PairingPayload{Pake3{proof}},
          PairingPayload{Pake4{proof}}, PairingPayload{SealedPayload{.run = request.run}},
          PairingPayload{FailurePayload{request.run, ErrorCode::CodeMismatch}}}) {
        auto sender = new_sender();
        expect_broken(sender, payload);
    }
}

TEST(PayloadOrder, ASenderThatHasNotAdmittedAcceptsNothingElse) { // SIG-12
    Ends ends;
    const auto request = ends.receiver.take_payloads().at(0);
    auto sender = new_sender();
    ASSERT_TRUE(sender.on_payload(request));
    expect_broken(sender, decoded<Pake1>(request));

    auto other = new_sender();
    ASSERT_TRUE(other.on_payload(request));
    expect_broken(other, Pake3{{.run = decoded<Pake1>(request).run}});
    other.admit(test::right_words());
    EXPECT_TRUE(other.take_payloads().empty()) << "it is over";
}

TEST(PayloadOrder, ARequestComesOnceAndSoDoesAProof) { // SIG-12
    Ends ends;
    const auto request = ends.receiver.take_payloads().at(0);
    ASSERT_TRUE(ends.sender.on_payload(request));
    ends.sender.admit(test::right_words());
    ASSERT_TRUE(ends.to_receiver());
    const auto proof = ends.receiver.take_payloads().at(0);
    ASSERT_TRUE(ends.sender.on_payload(proof));
    ends.sender.take_payloads();
    EXPECT_EQ(code_of(ends.sender.on_payload(proof)), ErrorCode::PeerProtocol);

    Ends others;
    ASSERT_TRUE(others.to_sender() && others.to_receiver());
    expect_broken(others.sender, decoded<Pake1>(request));
}

TEST(PayloadOrder, AProofOfAnotherRunIsNoGuess) { // SIG-12
    Ends one;
    Ends other;
    ASSERT_TRUE(one.to_sender() && one.to_receiver() && other.to_sender() && other.to_receiver());
    expect_broken(one.sender, decoded<Pake3>(other.receiver.take_payloads().at(0)));
    ASSERT_TRUE(one.receiver.take_payloads().size() == 1);
}

TEST(PayloadOrder, AReceiverAcceptsOneAnswerThenOneProofOfItsRun) { // SIG-12
    Ends ends;
    ASSERT_TRUE(ends.to_sender());
    const auto answer = decoded<Pake2>(ends.sender.take_payloads().at(0));
    const ProofFields proof{.run = answer.run, .tag = {}, .box = {}};
    for (const PairingPayload &payload :
         {PairingPayload{Pake1{answer}}, PairingPayload{answer}, PairingPayload{Pake3{proof}},
          PairingPayload{Pake4{proof}}, PairingPayload{SealedPayload{.run = answer.run}},
          PairingPayload{FailurePayload{answer.run, ErrorCode::CodeMismatch}}}) {
        auto receiver = new_receiver();
        receiver.take_payloads();
        expect_broken(receiver, payload);
    }
    ASSERT_TRUE(ends.receiver.on_payload(encode_payload(answer)));
    ends.receiver.take_payloads();
    expect_broken(ends.receiver, answer);
}

TEST(PayloadOrder, AShareThatIsNoGroupElementGetsNoAnswer) { // SIG-12
    for (const auto &share : bad_shares()) {
        test::HostileReceiverTest receiver;
        auto request = receiver.ask();
        request.share = share;
        auto sender = new_sender();
        ASSERT_TRUE(sender.on_payload(encode_payload(request)));
        sender.admit(test::right_words());
        EXPECT_TRUE(sender.take_payloads().empty());
        expect_broken(sender, Pake3{{.run = request.run}});
    }
}

TEST(PayloadOrder, ASendersShareThatIsNoGroupElementEndsTheRun) { // SIG-12
    for (const auto &share : bad_shares()) {
        Ends ends;
        ASSERT_TRUE(ends.to_sender());
        auto answer = decoded<Pake2>(ends.sender.take_payloads().at(0));
        answer.share = share;
        expect_broken(ends.receiver, answer);
    }
}

TEST(PayloadOrder, ASharesLengthIsThirtyTwoBytes) { // SIG-12
    constexpr std::ptrdiff_t kShareAt = 18;
    test::HostileReceiverTest receiver;
    const auto request = encode_payload(receiver.ask());
    for (const bool longer : {false, true}) {
        auto sender = new_sender();
        const auto other = test::changed(request, [&](Bytes &bytes) {
            if (longer) {
                bytes.insert(bytes.begin() + kShareAt, 0);
            } else {
                bytes.erase(bytes.begin() + kShareAt);
            }
        });
        EXPECT_EQ(code_of(sender.on_payload(other)), ErrorCode::PeerProtocol);
    }
}

TEST(PayloadOrder, NothingButAVersionIsBelievedOfAReceiverThatFails) {
    for (const auto code : {ErrorCode::CodeMismatch, ErrorCode::CodeLocked,
                            ErrorCode::TooManyReceivers, ErrorCode::PeerVersion}) {
        Ends ends;
        ASSERT_TRUE(ends.to_sender() && ends.to_receiver());
        const FailurePayload failure{decoded<Pake3>(ends.receiver.take_payloads().at(0)).run, code};
        EXPECT_EQ(code_of(ends.sender.on_payload(encode_payload(failure))),
                  code == ErrorCode::PeerVersion ? code : ErrorCode::PeerProtocol);
    }
}

TEST(PayloadOrder, AFailureAfterTheProofIsNotBelieved) {
    Ends ends;
    ASSERT_TRUE(ends.to_sender());
    const auto run = decoded<Pake2>(ends.sender.take_payloads().at(0)).run;
    Ends others;
    ASSERT_TRUE(others.pair());
    EXPECT_EQ(code_of(others.receiver.on_payload(
                  encode_payload(FailurePayload{run, ErrorCode::CodeMismatch}))),
              ErrorCode::PeerProtocol);
}

TEST(PayloadOrder, FieldsThatALaterVersionAddsAreAuthenticatedAndIgnored) {
    // The test's receiver signs its extended data, so unknown fields are in order.
    test::HostileReceiverTest receiver;
    receiver.say_more();
    auto sender = new_sender();
    const Bytes message = encode_description(test::description("Evil"));
    EXPECT_TRUE(test::is_proven(receiver.pair_with(sender, message)));
}

} // namespace
} // namespace thru::test
