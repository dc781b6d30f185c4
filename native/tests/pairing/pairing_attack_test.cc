// A server between two honest ends that changes, swaps, replays and returns payloads.
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "pairing/associated_data.h"
#include "pairing/pairing_ends.h"

namespace thru::test {
namespace {

/// Receives payload 1 (Pake1) to 4 (Pake4), and returns the one to deliver instead.
using PassingServer = std::function<std::string(int, std::string)>;

struct Outcome {
    bool sender_proven = false;
    bool receiver_proven = false;
};

/// Runs a pairing whose payloads the server alters; each side continues until it fails.
Outcome run_through(Ends &ends, const PassingServer &server) {
    Outcome outcome;
    for (int step = 1; step <= 4; ++step) {
        const bool from_receiver = step % 2 == 1;
        auto &from = from_receiver ? ends.receiver : ends.sender;
        auto &to = from_receiver ? ends.sender : ends.receiver;
        for (const auto &payload : from.take_payloads()) {
            const auto events = to.on_payload(server(step, payload));
            (from_receiver ? outcome.sender_proven : outcome.receiver_proven) |= is_proven(events);
        }
        if (step == 1) {
            ends.sender.admit(ends.senders);
        }
    }
    return outcome;
}

/// A change to a field of Pake<step>.
struct Swap {
    const char *name;
    int step;
    std::function<void(PairingPayload &)> change;
};

template <class Pake> auto change_share(std::function<void(Pake &)> change) {
    return [change](PairingPayload &payload) { change(std::get<Pake>(payload)); };
}

/// A valid share of a third party.
CpaceShare another_share() {
    auto receiver = new_receiver(wrong_words());
    return std::get<Pake1>(decode_payload(receiver.take_payloads().at(0)).value()).share;
}

Bytes as_other_role(const Bytes &data) {
    if (const auto receiver = decode_receiver_data(data)) {
        return encode_data(SenderData{.fingerprint = receiver->fingerprint, .session = {}});
    }
    const auto sender = decode_sender_data(data);
    return encode_data(ReceiverData{.fingerprint = sender->fingerprint, .kind = {}, .hint = {}});
}

/// Swaps that EveryByteOfEveryPayloadCounts does not make.
std::vector<Swap> all_swaps() {
    return {
        {"share 1", 1, change_share<Pake1>([](auto &p) { p.share = another_share(); })},
        {"role 1", 1, change_share<Pake1>([](auto &p) { p.data = as_other_role(p.data); })},
        {"more data 1", 1, change_share<Pake1>([](auto &p) { p.data.push_back(0); })},
        {"share 2", 2, change_share<Pake2>([](auto &p) { p.share = another_share(); })},
        {"role 2", 2, change_share<Pake2>([](auto &p) { p.data = as_other_role(p.data); })},
        {"more data 2", 2, change_share<Pake2>([](auto &p) { p.data.push_back(0); })},
    };
}

// PAIR-05
TEST(PairingAttack, BothSidesFailWhenAnythingWasSwapped) {
    for (const auto &swap : all_swaps()) {
        SCOPED_TRACE(swap.name);
        Ends ends;
        const auto outcome = run_through(ends, [&](int step, std::string payload) {
            if (step != swap.step) {
                return payload;
            }
            auto fields = decode_payload(payload).value();
            swap.change(fields);
            return encode_payload(fields);
        });
        EXPECT_FALSE(outcome.sender_proven);
        EXPECT_FALSE(outcome.receiver_proven);
    }
    Ends ends;
    const auto untouched = run_through(ends, [](int, std::string payload) { return payload; });
    EXPECT_TRUE(untouched.sender_proven && untouched.receiver_proven);
}

TEST(PairingAttack, ASendersTagThatIsWrongIsAWrongSender) {
    Ends ends;
    ASSERT_TRUE(ends.to_sender() && ends.to_receiver() && ends.to_sender());
    const auto payload =
        test::changed(ends.sender.take_payloads().at(0), [](Bytes &bytes) { bytes[18] ^= 1; });
    EXPECT_EQ(code_of(ends.receiver.on_payload(payload)), ErrorCode::PeerIdentity);
}

TEST(PairingAttack, ABoxBesideARightTagThatWasChangedIsNoGuess) {
    Ends ends;
    ASSERT_TRUE(ends.to_sender() && ends.to_receiver());
    const auto change_last = [](Bytes &bytes) { bytes.back() ^= 1; };
    const auto proof = ends.receiver.take_payloads().at(0);
    EXPECT_EQ(code_of(ends.sender.on_payload(test::changed(proof, change_last))),
              ErrorCode::SignalingAltered);
    EXPECT_TRUE(ends.sender.take_payloads().empty());

    Ends others;
    ASSERT_TRUE(others.to_sender() && others.to_receiver() && others.to_sender());
    const auto answer = others.sender.take_payloads().at(0);
    EXPECT_EQ(code_of(others.receiver.on_payload(test::changed(answer, change_last))),
              ErrorCode::SignalingAltered);
}

// PAIR-06
TEST(PairingAttack, WhatAReceiverSaidIsNoAnswerToIt) {
    auto receiver = new_receiver();
    const auto own = receiver.take_payloads().at(0);
    EXPECT_EQ(code_of(receiver.on_payload(own)), ErrorCode::PeerProtocol);

    // Its own share, disguised as a sender's.
    auto again = new_receiver();
    const auto request = std::get<Pake1>(decode_payload(again.take_payloads().at(0)).value());
    EXPECT_EQ(
        code_of(again.on_payload(encode_payload(Pake2{
            {.run = request.run, .share = request.share, .data = as_other_role(request.data)}}))),
        ErrorCode::PeerProtocol);
}

// PAIR-06
TEST(PairingAttack, AReceiversTagIsNoSendersTag) {
    Ends ends;
    ASSERT_TRUE(ends.to_sender() && ends.to_receiver());
    const auto proof = std::get<Pake3>(decode_payload(ends.receiver.take_payloads().at(0)).value());
    EXPECT_EQ(code_of(ends.receiver.on_payload(
                  encode_payload(Pake4{{.run = proof.run, .tag = proof.tag, .box = proof.box}}))),
              ErrorCode::PeerIdentity);
}

// PAIR-06
TEST(PairingAttack, TwoReceiversCannotBePairedWithEachOther) {
    auto one = new_receiver();
    auto other = new_receiver();
    const auto first = std::get<Pake1>(decode_payload(one.take_payloads().at(0)).value());
    const auto second = std::get<Pake1>(decode_payload(other.take_payloads().at(0)).value());
    ASSERT_TRUE(one.on_payload(encode_payload(
        Pake2{{.run = first.run, .share = second.share, .data = as_other_role(second.data)}})));
    ASSERT_TRUE(other.on_payload(encode_payload(
        Pake2{{.run = second.run, .share = first.share, .data = as_other_role(first.data)}})));
    const auto proof = std::get<Pake3>(decode_payload(other.take_payloads().at(0)).value());
    EXPECT_EQ(code_of(one.on_payload(
                  encode_payload(Pake4{{.run = first.run, .tag = proof.tag, .box = proof.box}}))),
              ErrorCode::PeerIdentity);
}

// PAIR-10
TEST(PairingAttack, AnOldOrSomebodyElsesResumeKeyIsRefused) {
    Ends first;
    ASSERT_TRUE(first.pair());
    const auto old = PairingSecret::key(PairingSecret::Kind::Resume, first.receiver.keys().resume);
    Ends second{old, old};
    ASSERT_TRUE(second.pair());
    const auto current =
        PairingSecret::key(PairingSecret::Kind::Resume, second.sender.keys().resume);
    Ends stranger;
    ASSERT_TRUE(stranger.pair());
    const auto strangers =
        PairingSecret::key(PairingSecret::Kind::Resume, stranger.sender.keys().resume);

    EXPECT_TRUE((Ends{current, current}.pair()));
    for (const auto &wrong : {old, strangers}) {
        Ends ends{current, wrong};
        const auto events = test::pass_on(ends.receiver, ends.sender);
        const auto *request = test::find_event<PairingRequested>(events);
        ASSERT_NE(request, nullptr);
        EXPECT_EQ(request->kind, PairingSecret::Kind::Resume) << "not a guess of the words";
        EXPECT_NE(request->hint, current.hint(request->run)) << "a sender knows whom not to admit";
        ends.sender.admit(current);
        ASSERT_TRUE(ends.to_receiver());
        EXPECT_EQ(code_of(ends.to_sender()), ErrorCode::CodeMismatch);
    }
}

// PAIR-10
TEST(PairingAttack, ARunThatIsReplayedProvesNothing) {
    const auto secret = key_secret(3);
    Ends ends{secret, secret};
    std::vector<std::string> said;
    const auto outcome = run_through(ends, [&](int step, std::string payload) {
        if (step % 2 == 1) {
            said.push_back(payload);
        }
        return payload;
    });
    ASSERT_TRUE(outcome.sender_proven && said.size() == 2);
    auto sender = new_sender();
    ASSERT_TRUE(sender.on_payload(said[0]));
    sender.admit(secret);
    EXPECT_EQ(code_of(sender.on_payload(said[1])), ErrorCode::CodeMismatch);
}

// PAIR-13
TEST(PairingAttack, SafetyDigitsDifferWhenSomebodyWhoKnowsTheWordsStandsBetween) {
    int equal = 0;
    for (int round = 0; round < 10; ++round) {
        Ends with_receiver;
        Ends with_sender;
        ASSERT_TRUE(with_receiver.pair() && with_sender.pair());
        equal += with_receiver.receiver.keys().safety == with_sender.sender.keys().safety ? 1 : 0;
    }
    EXPECT_LT(equal, 2);
}

/// Runs with one payload changed by `change`.
Outcome run_with_change(int step, const std::function<void(Bytes &)> &change) {
    Ends ends;
    return run_through(ends, [&](int at, std::string payload) {
        return at == step ? test::changed(payload, change) : payload;
    });
}

/// Expects no proof from a changed payload. A change to Pake4 reaches only the receiver.
void expect_unproven(const Outcome &outcome, int step) {
    EXPECT_FALSE(outcome.receiver_proven);
    EXPECT_EQ(outcome.sender_proven, step == 4);
}

TEST(PairingAttack, EveryByteOfEveryPayloadCounts) {
    for (int step = 1; step <= 4; ++step) {
        std::size_t size = 1;
        for (std::size_t index = 0; index < size; ++index) {
            SCOPED_TRACE(testing::Message() << "payload " << step << ", byte " << index);
            expect_unproven(run_with_change(step,
                                            [&](Bytes &bytes) {
                                                size = bytes.size();
                                                bytes[index] ^= 1;
                                            }),
                            step);
        }
        EXPECT_GT(size, 90U);
    }
}

TEST(PairingAttack, RandomChangesOfAnyPayloadProveNothing) {
    std::mt19937_64 random{20260211};
    for (int round = 0; round < 400; ++round) {
        const auto step = static_cast<int>(1 + random() % 4);
        SCOPED_TRACE(testing::Message() << "round " << round << ", payload " << step);
        expect_unproven(
            run_with_change(step,
                            [&](Bytes &bytes) {
                                const auto at = random() % bytes.size();
                                switch (random() % 4) {
                                case 0:
                                    bytes.resize(at);
                                    return;
                                case 1:
                                    bytes.insert(bytes.end(), 1 + at, 0);
                                    return;
                                case 2:
                                    bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(at));
                                    return;
                                default:
                                    bytes[at] ^= static_cast<std::uint8_t>(1 + random() % 255);
                                }
                            }),
            step);
    }
}

} // namespace
} // namespace thru::test
