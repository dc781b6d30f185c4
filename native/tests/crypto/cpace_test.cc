// CPace: the draft's vectors, and cases that must not lead to a shared key.
#include "crypto/cpace.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

#include "crypto/cpace_vectors.h"
#include "crypto/digest.h"
#include "crypto/length_prefix.h"
#include "support/vectors.h"

namespace thru::test {
namespace {

using Role = Cpace::Role;

Bytes field(const Json &vector, const char *name) {
    return from_hex(vector.at(name).get<std::string>());
}

CpaceShare share_of(ByteView bytes) {
    CpaceShare share{};
    EXPECT_EQ(bytes.size(), share.size());
    std::ranges::copy(bytes.first(std::min(bytes.size(), share.size())), share.begin());
    return share;
}

/// The inputs of one side of a run.
struct Side {
    std::string secret = "apple-riverboat-stopwatch";
    std::string channel = "recv to send";
    std::string session = "0123456789abcdef";
    std::string own_data = "mine";
    std::string peer_data = "yours";
    Role role = Role::Initiator;

    Cpace start() const { return Cpace{{as_bytes(secret), as_bytes(channel), as_bytes(session)}}; }
    std::optional<CpaceKey> finish(Cpace &run, const CpaceShare &peer) const {
        return run.finish(role, peer, as_bytes(own_data), as_bytes(peer_data));
    }
};

Side initiator() { return {}; }

Side responder() {
    Side side;
    std::swap(side.own_data, side.peer_data);
    side.role = Role::Responder;
    return side;
}

/// True if both sides derive the same key.
bool agree(const Side &one, const Side &other) {
    auto a = one.start();
    auto b = other.start();
    const auto key_a = one.finish(a, b.share());
    const auto key_b = other.finish(b, a.share());
    EXPECT_TRUE(key_a && key_b);
    return key_a && key_b && std::ranges::equal(key_a->view(), key_b->view());
}

TEST(Cpace, Pair01GivesTheRunsOfTheDraft) {
    int runs = 0;
    for (const auto &vector : test::read_vectors("cpace")) {
        if (vector.contains("element")) {
            continue;
        }
        SCOPED_TRACE(vector["name"]);
        ++runs;
        const auto secret = field(vector, "secret");
        const auto channel = field(vector, "channel");
        const auto session = field(vector, "session");
        const CpaceInput input{secret, channel, session};
        const auto &expected = vector["expect"];

        Bytes one(32, 0);
        one[0] = 1;
        EXPECT_EQ(to_bytes(CpaceVectors::with_scalar(input, one).share()),
                  field(expected, "generator"));

        const auto &[first, second] = std::pair{vector["initiator"], vector["responder"]};
        auto a = CpaceVectors::with_scalar(input, field(first, "scalar"));
        auto b = CpaceVectors::with_scalar(input, field(second, "scalar"));
        EXPECT_EQ(to_bytes(a.share()), field(expected, "initiator_share"));
        EXPECT_EQ(to_bytes(b.share()), field(expected, "responder_share"));

        const auto data_a = field(first, "data");
        const auto data_b = field(second, "data");
        const auto key_a = a.finish(Role::Initiator, b.share(), data_a, data_b);
        const auto key_b = b.finish(Role::Responder, a.share(), data_b, data_a);
        ASSERT_TRUE(key_a && key_b);
        EXPECT_EQ(to_bytes(key_a->view()), field(expected, "key"));
        EXPECT_EQ(to_bytes(key_b->view()), field(expected, "key"));
    }
    EXPECT_EQ(runs, 2);
}

TEST(Cpace, Pair01MultipliesOrRefusesTheElementsOfTheVectors) {
    int refused = 0;
    int multiplied = 0;
    const auto side = initiator();
    for (const auto &vector : test::read_vectors("cpace")) {
        if (!vector.contains("element")) {
            continue;
        }
        SCOPED_TRACE(vector["name"]);
        auto run = CpaceVectors::with_scalar(
            {as_bytes(side.secret), as_bytes(side.channel), as_bytes(side.session)},
            field(vector, "scalar"));
        const auto peer = share_of(field(vector, "element"));
        const auto key = side.finish(run, peer);
        if (vector["expect"]["product"].is_null()) {
            EXPECT_FALSE(key);
            ++refused;
            continue;
        }
        ASSERT_TRUE(key);
        const auto text = lv_cat({as_bytes("CPaceRistretto255_ISK"), as_bytes(side.session),
                                  field(vector["expect"], "product"), run.share(),
                                  as_bytes(side.own_data), peer, as_bytes(side.peer_data)});
        EXPECT_EQ(to_bytes(key->view()), to_bytes(sha512(text)));
        ++multiplied;
    }
    EXPECT_EQ(multiplied, 1);
    EXPECT_EQ(refused, 32);
}

TEST(Cpace, Pair01AgreesOnAKeyOnlyWithTheSameOfEverything) {
    EXPECT_TRUE(agree(initiator(), responder()));
    const std::vector<std::pair<const char *, std::function<void(Side &)>>> changes = {
        {"secret", [](Side &side) { side.secret = "apple-riverboat-stopwatcg"; }},
        {"secret's length", [](Side &side) { side.secret += '\0'; }},
        {"no secret", [](Side &side) { side.secret.clear(); }},
        {"channel", [](Side &side) { side.channel = "send to recv"; }},
        {"session", [](Side &side) { side.session[15] ^= 1; }},
        {"cut between channel and session",
         [](Side &side) {
             side.channel += side.session[0];
             side.session.erase(0, 1);
         }},
        {"own data", [](Side &side) { side.own_data += 'x'; }},
        {"peer's data", [](Side &side) { side.peer_data += 'x'; }},
        {"swapped data", [](Side &side) { std::swap(side.own_data, side.peer_data); }},
        {"role", [](Side &side) { side.role = Role::Initiator; }},
    };
    for (const auto &[what, change] : changes) {
        auto changed = responder();
        change(changed);
        EXPECT_FALSE(agree(initiator(), changed)) << what;
    }
}

TEST(Cpace, HoldsForSecretsAndChannelsOfAnyLength) {
    // Sizes around the hash's block size, where no room for padding is left, and far beyond.
    for (const std::size_t size : {0, 1, 106, 107, 108, 109, 127, 128, 129, 5000}) {
        auto one = initiator();
        auto other = responder();
        one.secret = other.secret = std::string(size, 's');
        one.channel = other.channel = std::string(size, 'c');
        EXPECT_TRUE(agree(one, other)) << size;
        other.secret += 's';
        EXPECT_FALSE(agree(one, other)) << size;
    }
}

TEST(Cpace, Pair01RefusesItsOwnShare) {
    const auto side = initiator();
    auto run = side.start();
    EXPECT_FALSE(side.finish(run, run.share()));
}

TEST(Cpace, Pair01NeverAgreesAfterAFlippedBit) {
    const auto [one, other] = std::pair{initiator(), responder()};
    int refused = 0;
    for (std::size_t bit = 0; bit < 256; ++bit) {
        auto a = one.start();
        auto b = other.start();
        auto flipped = a.share();
        flipped[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
        const auto key_a = one.finish(a, b.share());
        const auto key_b = other.finish(b, flipped);
        ASSERT_TRUE(key_a);
        refused += key_b ? 0 : 1;
        EXPECT_FALSE(key_b && std::ranges::equal(key_a->view(), key_b->view())) << bit;
        // Bit 0 makes the encoding negative; bit 255 makes it too large.
        EXPECT_FALSE(key_b && (bit == 0 || bit == 255)) << bit;
    }
    EXPECT_GT(refused, 64) << "most numbers are no elements";
}

TEST(Cpace, FinishesOnce) {
    const auto [one, other] = std::pair{initiator(), responder()};
    auto a = one.start();
    auto b = other.start();
    EXPECT_TRUE(CpaceVectors::has_scalar(a));
    EXPECT_TRUE(one.finish(a, b.share()));
    EXPECT_FALSE(CpaceVectors::has_scalar(a));
    EXPECT_FALSE(one.finish(a, b.share()));
    EXPECT_FALSE(other.finish(b, b.share()));
    EXPECT_FALSE(CpaceVectors::has_scalar(b));
    EXPECT_FALSE(other.finish(b, a.share())) << "a refused share ends the run, too";
}

TEST(Cpace, MovesAndLeavesNothingBehind) {
    static_assert(!std::is_copy_constructible_v<Cpace>);
    const auto [one, other] = std::pair{initiator(), responder()};
    auto a = one.start();
    auto b = other.start();
    auto moved = std::move(a);
    auto assigned = other.start();
    assigned = std::move(b);
    EXPECT_FALSE(CpaceVectors::has_scalar(a) || CpaceVectors::has_scalar(b));
    const auto key_a = one.finish(moved, assigned.share());
    const auto key_b = other.finish(assigned, moved.share());
    ASSERT_TRUE(key_a && key_b);
    EXPECT_TRUE(std::ranges::equal(key_a->view(), key_b->view()));
}

TEST(Cpace, NeverRepeatsAShare) {
    std::set<CpaceShare> seen;
    for (int count = 0; count < 500; ++count) {
        EXPECT_TRUE(seen.insert(initiator().start().share()).second);
    }
}

} // namespace
} // namespace thru::test
