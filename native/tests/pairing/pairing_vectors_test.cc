// docs/vectors/pairing.json was made by another implementation, native/tests-js/pairing.ts.
#include <gtest/gtest.h>

#include "crypto/cpace_vectors.h"
#include "pairing/pairing_ends.h"
#include "pairing/receiver_side.h"
#include "pairing/sender_side.h"
#include "support/vectors.h"

namespace thru::test {
namespace {

std::string text_of(const Json &vector, const char *field) {
    return vector.at(field).get<std::string>();
}

template <class Array> Array array_of(const Json &vector, const char *field) {
    Array array{};
    const auto bytes = from_hex(text_of(vector, field));
    EXPECT_EQ(bytes.size(), array.size()) << field;
    std::ranges::copy_n(bytes.begin(), std::ssize(array), array.begin());
    return array;
}

PeerDescription description_of(const Json &side) {
    return {.fingerprint = array_of<Fingerprint>(side, "fingerprint"),
            .name = text_of(side, "name"),
            .relay_use = static_cast<RelayUse>(side.value("relayUse", 0))};
}

PairingSecret secret_of(const Json &vector) {
    const auto text = text_of(vector, "secret");
    const auto kind = static_cast<PairingSecret::Kind>(vector.at("kind").get<int>());
    if (kind == PairingSecret::Kind::Words) {
        return PairingSecret::words(text);
    }
    SecretKey key;
    std::ranges::copy(from_hex(text), key.mutable_view().begin());
    return PairingSecret::key(kind, key);
}

/// Both ends of a vector, with its secret and randomness.
struct VectorEnds {
    const Json &vector;
    std::string nameplate = text_of(vector, "nameplate");
    PairingSecret secret = secret_of(vector);
    PairingRun run = array_of<PairingRun>(vector, "run");
    std::optional<GuessId> earlier = vector.contains("earlier")
                                         ? std::optional(array_of<GuessId>(vector, "earlier"))
                                         : std::nullopt;
    ReceiverSide receiver{nameplate,         secret, description_of(vector["receiver"]), run,
                          cpace("receiver"), earlier};
    SenderSide sender{nameplate, description_of(vector["sender"])};

    Cpace cpace(const char *side) const {
        return CpaceVectors::with_scalar(
            {.secret = secret.view(), .channel = channel_of(nameplate), .session = run},
            from_hex(text_of(vector[side], "scalar")));
    }
    void answer() { sender.answer(array_of<SenderSession>(vector, "session"), cpace("sender")); }
    std::string payload(std::size_t index) const {
        return vector["payloads"].at(index).get<std::string>();
    }
    std::string expected(const char *field) const { return text_of(vector["expect"], field); }
};

std::string only_payload(PairingSide &side) {
    const auto payloads = side.take_payloads();
    EXPECT_EQ(payloads.size(), 1U);
    return payloads.empty() ? std::string{} : payloads[0];
}

void expect_keys(const PairingSide &side, const Json &expected) {
    const auto &keys = side.keys();
    EXPECT_EQ(to_hex(keys.bind_receiver.view()), text_of(expected["keys"], "bind r"));
    EXPECT_EQ(to_hex(keys.bind_sender.view()), text_of(expected["keys"], "bind s"));
    EXPECT_EQ(to_hex(keys.resume.view()), text_of(expected["keys"], "resume"));
    EXPECT_EQ(to_hex(keys.transcript), text_of(expected, "transcript"));
    EXPECT_EQ(keys.safety, text_of(expected, "safety"));
}

void expect_credentials(const Result<test::Events> &events, const Json &ice, const char *own,
                        const char *peer) {
    const auto *keyed = test::find_event<PairingKeyed>(events);
    ASSERT_NE(keyed, nullptr);
    EXPECT_EQ(keyed->own.ufrag, text_of(ice[own], "ufrag"));
    EXPECT_EQ(keyed->own.pwd.view(), text_of(ice[own], "pwd"));
    EXPECT_EQ(keyed->peer.ufrag, text_of(ice[peer], "ufrag"));
    EXPECT_EQ(keyed->peer.pwd.view(), text_of(ice[peer], "pwd"));
}

void expect_peer(const Result<test::Events> &events, const Json &side) {
    const auto *proven = test::find_event<PairingProven>(events);
    ASSERT_NE(proven, nullptr);
    const auto expected = description_of(side);
    EXPECT_EQ(proven->peer.fingerprint, expected.fingerprint);
    EXPECT_EQ(proven->peer.name, expected.name);
    EXPECT_EQ(proven->peer.relay_use, expected.relay_use);
}

/// Expects the sealed messages after the proofs.
void expect_candidates(VectorEnds &ends) {
    const auto &messages = ends.vector["expect"]["messages"];
    for (std::size_t index = 2; index < messages.size(); ++index) {
        const auto message = from_hex(text_of(messages[index], "message"));
        const bool from_receiver = text_of(messages[index], "from") == "receiver";
        auto &to = from_receiver ? static_cast<PairingSide &>(ends.sender) : ends.receiver;
        const auto events = to.on_payload(ends.payload(index + 2));
        ASSERT_TRUE(events && events->size() == 1) << index;
        if (const auto *candidate = test::find_event<RemoteCandidate>(events)) {
            EXPECT_EQ(candidate->line, as_text(ByteView{message}.subspan(1)));
        } else {
            EXPECT_NE(test::find_event<RemoteCandidatesDone>(events), nullptr);
        }
    }
}

void expect_run(const Json &vector) {
    VectorEnds ends{vector};
    EXPECT_EQ(to_hex(channel_of(ends.nameplate)), ends.expected("channel"));
    EXPECT_EQ(only_payload(ends.receiver), ends.payload(0));

    const auto asked = ends.sender.on_payload(ends.payload(0));
    const auto *request = test::find_event<PairingRequested>(asked);
    ASSERT_NE(request, nullptr);
    EXPECT_EQ(request->earlier, ends.earlier);
    ends.answer();
    EXPECT_EQ(only_payload(ends.sender), ends.payload(1));

    const auto &ice = vector["expect"]["ice"];
    expect_credentials(ends.receiver.on_payload(ends.payload(1)), ice, "receiver", "sender");
    const auto proof = std::get<Pake3>(decode_payload(only_payload(ends.receiver)).value());
    EXPECT_EQ(to_hex(proof.tag), ends.expected("receiver_tag"));
    ASSERT_TRUE(ends.receiver.guess());
    EXPECT_EQ(to_hex(*ends.receiver.guess()), ends.expected("guess"));

    const auto proven = ends.sender.on_payload(ends.payload(2));
    expect_credentials(proven, ice, "sender", "receiver");
    expect_peer(proven, vector["receiver"]);
    const auto answer = std::get<Pake4>(decode_payload(only_payload(ends.sender)).value());
    EXPECT_EQ(to_hex(answer.tag), ends.expected("sender_tag"));

    expect_peer(ends.receiver.on_payload(ends.payload(3)), vector["sender"]);
    expect_keys(ends.sender, vector["expect"]);
    expect_keys(ends.receiver, vector["expect"]);
    expect_candidates(ends);
}

void expect_first_payload(const Json &vector) {
    auto sender = test::new_sender();
    const auto events = sender.on_payload(vector["payloads"].at(0).get<std::string>());
    if (const auto error = test::expected_error(vector); !error.empty()) {
        ASSERT_FALSE(events);
        EXPECT_EQ(error_name(events.error().code), error);
        return;
    }
    const auto *request = test::find_event<PairingRequested>(events);
    ASSERT_NE(request, nullptr);
    const auto &expected = vector["expect"]["requested"];
    EXPECT_EQ(static_cast<int>(request->kind), expected["kind"].get<int>());
    EXPECT_EQ(to_hex(request->run), text_of(expected, "run"));
    EXPECT_EQ(to_hex(request->hint), text_of(expected, "hint"));
}

TEST(PairingVectors, HoldForTheEngine) {
    std::size_t runs = 0;
    for (const auto &vector : test::read_vectors("pairing")) {
        SCOPED_TRACE(vector["name"]);
        if (vector.contains("secret")) {
            ++runs;
            expect_run(vector);
        } else {
            expect_first_payload(vector);
        }
    }
    EXPECT_EQ(runs, 5U);
}

TEST(PairingVectors, PayloadsAreTheOneTextOfWhatTheySay) {
    std::size_t payloads = 0;
    for (const auto &vector : test::read_vectors("pairing")) {
        for (const auto &payload : vector["payloads"]) {
            const auto text = payload.get<std::string>();
            if (const auto decoded = decode_payload(text)) {
                EXPECT_EQ(encode_payload(*decoded), text);
                ++payloads;
            }
        }
    }
    EXPECT_GT(payloads, 27U);
}

} // namespace
} // namespace thru::test
