#include "link/link_binding.h"

#include <gtest/gtest.h>

namespace thru {
namespace {

PairingKeys some_keys() {
    PairingKeys keys;
    keys.bind_receiver.mutable_view().front() = 1;
    keys.bind_sender.mutable_view().front() = 2;
    return keys;
}

SecretKey exported(std::uint8_t number) {
    SecretKey key;
    key.mutable_view().front() = number;
    return key;
}

struct Ends {
    explicit Ends(std::optional<ContactProof> of_receiver = {},
                  std::optional<ContactProof> of_sender = {})
        : receiver(LinkRole::Receiver, some_keys(), exported(7), std::move(of_receiver)),
          sender(LinkRole::Sender, some_keys(), exported(7), std::move(of_sender)) {}
    LinkBinding receiver;
    LinkBinding sender;
};

TEST(LinkBinding, IsTakenInAnyPortionsAndLeavesWhatFollows) {
    Ends ends;
    auto bytes = ends.receiver.own();
    bytes.push_back(0xaa);
    std::size_t taken = 0;
    for (const auto byte : bytes) {
        const auto portion = ends.sender.receive({&byte, 1});
        ASSERT_TRUE(portion);
        taken += *portion;
    }
    EXPECT_TRUE(ends.sender.done());
    EXPECT_EQ(taken, bytes.size() - 1);
}

TEST(LinkBinding, EveryChangedBitIsRefused) {
    const auto right = Ends{}.receiver.own();
    for (std::size_t bit = 0; bit < right.size() * 8; ++bit) {
        Ends ends;
        auto wrong = right;
        wrong[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
        const auto taken = ends.sender.receive(wrong);
        ASSERT_FALSE(taken) << bit;
        EXPECT_EQ(taken.error().code, ErrorCode::PeerIdentity);
        EXPECT_FALSE(ends.sender.done());
    }
}

TEST(LinkBinding, AReflectedBindIsRefused) {
    Ends ends;
    EXPECT_FALSE(ends.sender.receive(ends.sender.own()));
    EXPECT_FALSE(ends.receiver.receive(ends.receiver.own()));
}

TEST(LinkBinding, OfAnotherConnectionIsRefused) {
    LinkBinding other(LinkRole::Receiver, some_keys(), exported(8), std::nullopt);
    Ends ends;
    EXPECT_FALSE(ends.sender.receive(other.own()));
}

TEST(LinkBinding, ContactsShowTheirKeys) {
    const auto anna = SigningKey::create();
    const auto ben = SigningKey::create();
    Ends ends(ContactProof{.own = anna, .peer = ben.public_key()},
              ContactProof{.own = ben, .peer = anna.public_key()});
    EXPECT_TRUE(ends.sender.receive(ends.receiver.own()));
    EXPECT_TRUE(ends.receiver.receive(ends.sender.own()));
    EXPECT_TRUE(ends.sender.done());
    EXPECT_TRUE(ends.receiver.done());
}

TEST(LinkBinding, WhoStoleTheSharedSecretIsNotTheContact) {
    const auto anna = SigningKey::create();
    const auto ben = SigningKey::create();
    const auto thief = SigningKey::create();
    Ends ends(ContactProof{.own = thief, .peer = ben.public_key()},
              ContactProof{.own = ben, .peer = anna.public_key()});
    const auto taken = ends.sender.receive(ends.receiver.own());
    ASSERT_FALSE(taken);
    EXPECT_EQ(taken.error().code, ErrorCode::PeerIdentity);
}

} // namespace
} // namespace thru
