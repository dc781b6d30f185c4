#include "pairing/pairing.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "crypto/aead.h"
#include "crypto/base64url.h"
#include "pairing/payload.h"
#include "support/vectors.h"

namespace thru {
namespace {

using test::Json;
using Events = std::vector<PairingEvent>;

constexpr std::string_view kCandidate = "candidate:1 1 UDP 2015363327 192.0.2.7 40001 typ host";

JoinCode code_of(std::string_view text = "4821-apple-riverboat-stopwatch") {
    return parse_join_code(text).value();
}

PeerDescription description(std::string_view name) {
    PeerDescription own;
    own.fingerprint.fill(static_cast<std::uint8_t>(name.size()));
    own.ice_ufrag = "Ab3/";
    own.ice_pwd = "0123456789abcdefghij+/";
    own.name = name;
    return own;
}

Json to_json(const PeerDescription &peer) {
    std::string fingerprint;
    for (const auto byte : peer.fingerprint) {
        constexpr std::string_view kDigits = "0123456789abcdef";
        fingerprint += {kDigits[byte >> 4], kDigits[byte & 15]};
    }
    return {{"type", "description"},
            {"fingerprint", fingerprint},
            {"ice_ufrag", peer.ice_ufrag},
            {"ice_pwd", peer.ice_pwd},
            {"name", peer.name}};
}
Json to_json(const RemoteCandidate &candidate) {
    return {{"type", "candidate"}, {"line", candidate.line}};
}
Json to_json(const RemoteCandidatesDone &) { return {{"type", "candidates-done"}}; }

Json to_json(const Events &events) {
    Json json = Json::array();
    for (const auto &event : events) {
        json.push_back(std::visit([](const auto &e) { return to_json(e); }, event));
    }
    return json;
}

/// A sender and a receiver; `pass_on` is the server between them.
struct Pair {
    Pairing sender;
    Pairing receiver;

    explicit Pair(const JoinCode &senders = code_of(), const JoinCode &receivers = code_of())
        : sender(Pairing::Role::Sender, senders, description("Sender")),
          receiver(Pairing::Role::Receiver, receivers, description("Receiver")) {}

    /// What the other side made of all payloads; the first error ends it.
    static Result<Events> pass_on(Pairing &from, Pairing &to) {
        Events all;
        for (const auto &payload : from.take_payloads()) {
            auto events = to.on_payload(payload);
            if (!events) {
                return events;
            }
            all.insert(all.end(), events->begin(), events->end());
        }
        return all;
    }
    Result<Events> to_sender() { return pass_on(receiver, sender); }
    Result<Events> to_receiver() { return pass_on(sender, receiver); }
};

ErrorCode code_of_failure(const Result<Events> &result) {
    return result ? ErrorCode::Internal : result.error().code;
}

TEST(Pairing, AgreesWithTheVectors) {
    for (const auto &vector : test::read_vectors("pairing")) {
        SCOPED_TRACE(vector["name"]);
        Pairing sender{Pairing::Role::Sender, code_of(vector["code"].get<std::string>()),
                       description("Sender")};
        Result<Events> last;
        Events all;
        for (const auto &payload : vector["payloads"]) {
            ASSERT_TRUE(last) << "only the last payload is refused";
            last = sender.on_payload(payload.get<std::string>());
            if (last) {
                all.insert(all.end(), last->begin(), last->end());
            }
        }
        if (const auto error = test::expected_error(vector); !error.empty()) {
            EXPECT_EQ(error_name(code_of_failure(last)), error);
        } else {
            EXPECT_EQ(to_json(all), vector["expect"]["events"]);
        }
    }
}

TEST(Pairing, SealsWithTheKeysOfTheVectors) {
    const auto vectors = test::read_vectors("pairing");
    const auto vector =
        std::ranges::find_if(vectors, [](const Json &v) { return v.contains("keys"); });
    ASSERT_NE(vector, vectors.end());
    Pairing sender{Pairing::Role::Sender, code_of((*vector)["code"].get<std::string>()),
                   description("Sender")};
    ASSERT_TRUE(sender.on_payload((*vector)["payloads"][0].get<std::string>()));
    const auto payloads = sender.take_payloads();
    ASSERT_EQ(payloads.size(), 1U);
    const auto sealed = std::get<SealedPayload>(decode_payload(payloads[0]).value());
    SecretKey key;
    std::ranges::copy(test::from_hex((*vector)["keys"]["sender to receiver"].get<std::string>()),
                      key.mutable_view().begin());
    const auto message =
        open_box(key, sealed.nonce, test::from_hex("01010000000000000000"), sealed.box);
    ASSERT_TRUE(message);
    EXPECT_EQ(message->front(), 1);
    EXPECT_TRUE(as_text(*message).ends_with("\x06Sender"));
}

TEST(Pairing, TwoSidesWithTheSameCodeDescribeThemselves) {
    Pair pair;
    EXPECT_TRUE(pair.sender.take_payloads().empty()) << "the receiver speaks first";
    EXPECT_EQ(to_json(pair.to_sender().value()), Json::array({to_json(description("Receiver"))}));
    EXPECT_EQ(to_json(pair.to_receiver().value()), Json::array({to_json(description("Sender"))}));
}

TEST(Pairing, CandidatesGoBothWaysAndThoseGivenEarlyAreKeptBack) {
    Pair pair;
    pair.sender.send_candidate(kCandidate);
    pair.receiver.send_candidate(kCandidate);
    pair.receiver.send_candidates_done();
    EXPECT_EQ(pair.to_sender().value().size(), 1U);
    const auto to_receiver = to_json(pair.to_receiver().value());
    ASSERT_EQ(to_receiver.size(), 2U);
    EXPECT_EQ(to_receiver[1]["line"], kCandidate);
    pair.sender.send_candidates_done();
    EXPECT_EQ(to_json(pair.to_receiver().value())[0]["type"], "candidates-done");
    const auto to_sender = to_json(pair.to_sender().value());
    ASSERT_EQ(to_sender.size(), 2U);
    EXPECT_EQ(to_sender[0]["line"], kCandidate);
    EXPECT_EQ(to_sender[1]["type"], "candidates-done");
}

TEST(Pairing, CandidatesThatTheOtherSideWouldNotTakeAreNotSent) {
    Pair pair;
    ASSERT_TRUE(pair.to_sender() && pair.to_receiver());
    for (const auto *line :
         {"", "candidate:1 1 UDP 1 x.local 9 typ host",
          "a=candidate:1 1 UDP 1 192.0.2.7 9 typ host", "candidate:1 1 UDP 1 0.0.0.0 9 typ host"}) {
        pair.sender.send_candidate(line);
    }
    EXPECT_TRUE(pair.sender.take_payloads().empty());
    pair.sender.send_candidates_done();
    pair.sender.send_candidates_done();
    pair.sender.send_candidate(kCandidate);
    EXPECT_EQ(pair.sender.take_payloads().size(), 1U);
}

TEST(Pairing, OnlySoManyCandidatesCount) {
    Pair pair;
    ASSERT_TRUE(pair.to_sender() && pair.to_receiver());
    for (std::uint32_t count = 0; count < kMaxPeerCandidates + 5; ++count) {
        pair.receiver.send_candidate(kCandidate);
    }
    pair.receiver.send_candidates_done();
    EXPECT_EQ(pair.to_sender().value().size(), kMaxPeerCandidates + 1);
}

TEST(Pairing, OtherWordsAreAMismatchOnBothSides) {
    Pair pair{code_of(), code_of("4821-apple-riverboat-zombie")};
    pair.sender.send_candidate(kCandidate);
    EXPECT_EQ(code_of_failure(pair.to_sender()), ErrorCode::CodeMismatch);
    EXPECT_EQ(code_of_failure(pair.to_receiver()), ErrorCode::CodeMismatch);
    EXPECT_TRUE(pair.sender.take_payloads().empty()) << "nothing sealed went out";
    EXPECT_TRUE(pair.receiver.take_payloads().empty()) << "a failure is not answered";
}

TEST(Pairing, AnotherNameplateIsAMismatch) {
    Pair pair{code_of(), code_of("4822-apple-riverboat-stopwatch")};
    EXPECT_EQ(code_of_failure(pair.to_sender()), ErrorCode::CodeMismatch);
}

TEST(Pairing, AFailedPairingStaysFailed) {
    Pair pair{code_of(), code_of("4821-apple-riverboat-zombie")};
    ASSERT_FALSE(pair.to_sender());
    Pair good;
    for (const auto &payload : good.receiver.take_payloads()) {
        EXPECT_EQ(code_of_failure(pair.sender.on_payload(payload)), ErrorCode::PeerProtocol);
    }
    pair.sender.take_payloads();
    pair.sender.send_candidate(kCandidate);
    EXPECT_TRUE(pair.sender.take_payloads().empty());
}

TEST(Pairing, AnswersAnotherVersionWithItsOwn) {
    Pair pair;
    auto bytes = from_base64url(pair.receiver.take_payloads().at(0)).value();
    bytes[0] = kPairingVersion + 1;
    EXPECT_EQ(code_of_failure(pair.sender.on_payload(to_base64url(bytes))), ErrorCode::PeerVersion);
    EXPECT_EQ(code_of_failure(pair.to_receiver()), ErrorCode::PeerVersion);
}

TEST(Pairing, AServerThatSendsMessagesBackIsNotBelieved) {
    Pair pair;
    for (const auto &payload : pair.receiver.take_payloads()) {
        EXPECT_EQ(code_of_failure(pair.receiver.on_payload(payload)), ErrorCode::CodeMismatch);
    }
}

TEST(Pairing, APayloadOfAnotherReceiverIsRefused) {
    Pair one;
    Pair other;
    ASSERT_TRUE(one.to_sender());
    ASSERT_TRUE(other.to_sender());
    for (const auto &payload : other.sender.take_payloads()) {
        EXPECT_EQ(code_of_failure(one.receiver.on_payload(payload)), ErrorCode::PeerProtocol);
    }
}

TEST(Pairing, EveryByteOfAPayloadCounts) {
    auto receiver = Pairing{Pairing::Role::Receiver, code_of(), description("Receiver")};
    const auto bytes = from_base64url(receiver.take_payloads().at(0)).value();
    for (std::size_t index = 0; index < bytes.size(); ++index) {
        auto altered = bytes;
        altered[index] ^= 1;
        Pairing sender{Pairing::Role::Sender, code_of(), description("Sender")};
        EXPECT_FALSE(sender.on_payload(to_base64url(altered))) << index;
        Pairing other{Pairing::Role::Sender, code_of(), description("Sender")};
        EXPECT_FALSE(other.on_payload(to_base64url(ByteView{bytes}.first(index)))) << index;
    }
}

TEST(Pairing, PayloadsFitTheServersLimitAndNeverRepeat) {
    auto own = description(std::string(64, 'n'));
    own.ice_ufrag = std::string(255, 'u');
    own.ice_pwd = std::string(255, 'p');
    Pairing first{Pairing::Role::Receiver, code_of(), own};
    Pairing second{Pairing::Role::Receiver, code_of(), own};
    const auto payload = first.take_payloads().at(0);
    EXPECT_LE(payload.size(), kMaxPayloadBytes);
    EXPECT_NE(payload, second.take_payloads().at(0));
    Pairing sender{Pairing::Role::Sender, code_of(), own};
    EXPECT_TRUE(sender.on_payload(payload));
}

TEST(Pairing, CanBeMoved) {
    Pair pair;
    ASSERT_TRUE(pair.to_sender());
    auto moved = std::move(pair.sender);
    EXPECT_TRUE(Pair::pass_on(moved, pair.receiver));
}

} // namespace
} // namespace thru
