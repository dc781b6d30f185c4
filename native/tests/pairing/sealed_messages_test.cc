// Candidates after the proofs, in boxes that open once and in order.
#include <gtest/gtest.h>

#include "pairing/description.h"
#include "pairing/hostile_receiver.h"
#include "pairing/ice_candidate.h"
#include "pairing/pairing_ends.h"

namespace thru::test {
namespace {

std::size_t candidates_in(const Result<Events> &events) {
    return static_cast<std::size_t>(
        std::ranges::count_if(events.value(), [](const PairingEvent &event) {
            return std::holds_alternative<RemoteCandidate>(event);
        }));
}

constexpr std::string_view kName = "8f5fb3c2-19d5-4f0a-9c1e-0a7c7a6b5d4e.local";

std::string candidate_at(std::string_view address) {
    return "candidate:1 1 UDP 1 " + std::string{address} + " 40001 typ host";
}

TEST(SealedMessages, CandidatesGoBothWaysAndThoseGivenEarlyAreKeptBack) {
    Ends ends;
    ends.sender.send_candidate(kCandidate);
    ends.receiver.send_candidate(kCandidate);
    ends.receiver.send_candidates_done();
    ASSERT_TRUE(ends.to_sender() && ends.to_receiver());
    const auto at_sender = ends.to_sender();
    ASSERT_EQ(at_sender.value().size(), 4U) << "right behind the proof";
    EXPECT_EQ(std::get<RemoteCandidate>((*at_sender)[2]).line, kCandidate);
    EXPECT_TRUE(std::holds_alternative<RemoteCandidatesDone>((*at_sender)[3]));

    ends.sender.send_candidates_done();
    const auto at_receiver = ends.to_receiver();
    ASSERT_EQ(at_receiver.value().size(), 3U);
    EXPECT_TRUE(std::holds_alternative<PairingProven>((*at_receiver)[0]));
    EXPECT_EQ(std::get<RemoteCandidate>((*at_receiver)[1]).line, kCandidate);
    EXPECT_TRUE(std::holds_alternative<RemoteCandidatesDone>((*at_receiver)[2]));
}

TEST(SealedMessages, AReceiverSendsBehindItsProofWithoutWaiting) {
    Ends ends;
    ASSERT_TRUE(ends.to_sender() && ends.to_receiver());
    ends.receiver.send_candidate(kCandidate);
    EXPECT_EQ(candidates_in(ends.to_sender()), 1U);
}

TEST(SealedMessages, CandidatesThatTheOtherSideWouldRefuseAreNotSent) {
    Ends ends;
    ASSERT_TRUE(ends.pair());
    for (const auto &line : {std::string{}, candidate_at("x.local"), candidate_at("0.0.0.0"),
                             "a=" + std::string{kCandidate}}) {
        ends.sender.send_candidate(line);
    }
    EXPECT_TRUE(ends.sender.take_payloads().empty());
    ends.sender.send_candidates_done();
    ends.sender.send_candidates_done();
    ends.sender.send_candidate(kCandidate);
    EXPECT_EQ(ends.sender.take_payloads().size(), 1U);
}

TEST(SealedMessages, OnlySoManyCandidatesAreSent) {
    Ends ends;
    ASSERT_TRUE(ends.pair());
    for (std::uint32_t count = 0; count < kMaxPeerCandidates + 5; ++count) {
        ends.receiver.send_candidate(kCandidate);
    }
    ends.receiver.send_candidates_done();
    EXPECT_EQ(ends.to_sender().value().size(), kMaxPeerCandidates + 1);
}

/// Three sealed candidates of a receiver, and the sender that expects them.
struct Sealed {
    Ends ends;
    std::vector<std::string> payloads;

    Sealed() {
        EXPECT_TRUE(ends.pair());
        for (int count = 0; count < 3; ++count) {
            ends.receiver.send_candidate(kCandidate);
        }
        payloads = ends.receiver.take_payloads();
    }
    ErrorCode deliver(std::initializer_list<std::size_t> order) {
        for (const auto index : order) {
            if (const auto events = ends.sender.on_payload(payloads[index]); !events) {
                return events.error().code;
            }
        }
        return ErrorCode::Internal;
    }
};

TEST(SealedMessages, RepeatedSkippedOrReorderedTheyAreAltered) { // SIG-13
    EXPECT_EQ(Sealed{}.deliver({0, 1, 2}), ErrorCode::Internal) << "in order";
    EXPECT_EQ(Sealed{}.deliver({0, 0}), ErrorCode::SignalingAltered) << "repeated";
    EXPECT_EQ(Sealed{}.deliver({0, 2}), ErrorCode::SignalingAltered) << "skipped";
    EXPECT_EQ(Sealed{}.deliver({1, 0}), ErrorCode::SignalingAltered) << "reordered";
}

TEST(SealedMessages, OfAnotherRunOrDirectionTheyAreAltered) { // SIG-13
    Sealed one;
    const Sealed other;
    EXPECT_EQ(code_of(one.ends.sender.on_payload(other.payloads[0])), ErrorCode::SignalingAltered);

    Sealed returned;
    EXPECT_EQ(code_of(returned.ends.receiver.on_payload(returned.payloads[0])),
              ErrorCode::SignalingAltered);
}

TEST(SealedMessages, EveryByteCounts) { // SIG-13
    std::size_t size = 1;
    for (std::size_t index = 0; index < size; ++index) {
        Sealed sealed;
        const auto payload = test::changed(sealed.payloads[0], [&](Bytes &bytes) {
            size = bytes.size();
            bytes[index] ^= 1;
        });
        const auto code = code_of(sealed.ends.sender.on_payload(payload));
        // Other payload types are not allowed at that point.
        EXPECT_EQ(code, index == 1 ? code : ErrorCode::SignalingAltered) << index;
        EXPECT_NE(code, ErrorCode::Internal) << index;
    }
    EXPECT_GT(size, 60U);
}

/// A sender that has accepted a hostile receiver's proof.
struct Believed {
    Pairing sender = new_sender();
    HostileReceiverTest receiver;

    Believed() {
        const auto proven = receiver.pair_with(sender, encode_description(description("Evil")));
        EXPECT_TRUE(test::is_proven(proven));
    }
    Result<Events> say(std::string_view message) {
        return sender.on_payload(receiver.seal(message));
    }
    Result<Events> announce(const std::string &line) { return say("\x01" + line); }
};

TEST(SealedMessages, CandidatesThatLeadNowhereAreDropped) { // SIG-14
    Believed believed;
    const auto events = believed.announce(candidate_at("0.0.0.0"));
    ASSERT_TRUE(events);
    EXPECT_TRUE(events->empty());
    EXPECT_EQ(candidates_in(believed.announce(candidate_at("127.0.0.1"))), 1U);
}

TEST(SealedMessages, ANameOfMdnsMayStandForAnAddress) {
    Believed believed;
    const auto line = candidate_at(kName);
    const auto events = believed.announce(line);
    ASSERT_TRUE(events && events->size() == 1);
    EXPECT_EQ(std::get<NamedCandidate>(events->front()).line, line);
}

TEST(SealedMessages, EightNamesCountAndTakeThePlacesOfAddresses) {
    Believed believed;
    std::size_t named = 0;
    for (int count = 0; count < 100; ++count) {
        named += believed.announce(candidate_at(kName)).value().size();
    }
    EXPECT_EQ(named, kMaxNamedCandidates);
    std::size_t others = 0;
    for (int count = 0; count < 100; ++count) {
        others += candidates_in(believed.announce(std::string{kCandidate}));
    }
    EXPECT_EQ(others, kMaxPeerCandidates - kMaxNamedCandidates);
}

TEST(SealedMessages, OfTenThousandCandidatesThirtyTwoCount) { // SIG-14
    Believed believed;
    std::size_t taken = 0;
    for (int count = 0; count < 10'000; ++count) {
        const auto events = believed.announce(std::string{kCandidate});
        ASSERT_TRUE(events);
        taken += events->size();
    }
    EXPECT_EQ(taken, kMaxPeerCandidates);
}

TEST(SealedMessages, AMalformedLineEndsThePairing) { // SIG-14
    EXPECT_EQ(code_of(Believed{}.announce(std::string{kCandidate} + "\n")),
              ErrorCode::PeerProtocol);
    EXPECT_EQ(code_of(Believed{}.announce(std::string(std::size_t{64} * 1024, 'x'))),
              ErrorCode::SignalingAltered)
        << "no payload may be so long";
}

TEST(SealedMessages, CandidatesEndOnce) {
    Believed believed;
    ASSERT_TRUE(believed.say("\x02"));
    EXPECT_EQ(code_of(believed.say("\x02")), ErrorCode::PeerProtocol);
    Believed other;
    ASSERT_TRUE(other.say("\x02"));
    EXPECT_EQ(code_of(other.announce(std::string{kCandidate})), ErrorCode::PeerProtocol);
}

TEST(SealedMessages, UnknownTypesAreIgnoredAndEmptyOnesRefused) {
    Believed believed;
    EXPECT_TRUE(believed.say("\x03more").value().empty());
    EXPECT_TRUE(believed.say("\xff").value().empty());
    EXPECT_EQ(candidates_in(believed.announce(std::string{kCandidate})), 1U);
    EXPECT_EQ(code_of(believed.say("")), ErrorCode::PeerProtocol);
}

TEST(SealedMessages, ADescriptionSaysWhichRelaysAreUsed) {
    auto own = description("Evil");
    const auto plain = encode_description(own);
    EXPECT_EQ(decode_description(plain)->relay_use, RelayUse::Automatic);
    for (const auto use : {RelayUse::Only, RelayUse::Never}) {
        own.relay_use = use;
        const auto message = encode_description(own);
        EXPECT_EQ(message.size(), plain.size() + 1);
        EXPECT_EQ(decode_description(message)->relay_use, use);
    }
    auto later = plain;
    later.push_back(3);
    EXPECT_EQ(decode_description(later)->relay_use, RelayUse::Automatic);
}

TEST(SealedMessages, ADescriptionHasANameThatCanBeShown) {
    const auto good = encode_description(description("Evil"));
    const auto code_after = [](const Bytes &message) {
        auto sender = new_sender();
        return code_of(HostileReceiverTest{}.pair_with(sender, message));
    };
    EXPECT_EQ(code_after(good), ErrorCode::Internal);
    auto longer = good;
    longer.push_back(7);
    EXPECT_EQ(code_after(longer), ErrorCode::Internal) << "a later version may say more";
    for (std::size_t size = 0; size < good.size(); ++size) {
        EXPECT_EQ(code_after({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)}),
                  ErrorCode::PeerProtocol)
            << size;
    }
    auto control = good;
    control.back() = '\n';
    EXPECT_EQ(code_after(control), ErrorCode::PeerProtocol);
}

} // namespace
} // namespace thru::test
