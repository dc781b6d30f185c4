// PAIR-12: without certificate checks, a man in the middle can terminate both TLS connections.
// Binding each connection to the pairing still exposes it.
#include <gtest/gtest.h>

#include "link/link_binding.h"
#include "sim/virtual_link.h"
#include "support/silent_listener.h"

namespace thru {
namespace {

/// Keys of an honest pairing, which the man in the middle does not know.
PairingKeys paired_keys() {
    PairingKeys keys;
    keys.bind_receiver.mutable_view().front() = 1;
    keys.bind_sender.mutable_view().front() = 2;
    keys.transcript.fill(3);
    return keys;
}

LinkBinding binding(LinkRole role, const Connection &connection) {
    const auto keys = paired_keys();
    auto exported = connection.exported(kBindLabel, keys.transcript);
    EXPECT_TRUE(exported);
    return {role, keys, *std::move(exported), std::nullopt};
}

/// A connection whose ends expect certificates that the other end does not have.
struct UnpinnedPair {
    bool connect() {
        return pair.run_until(
            [&] { return pair.sender().established() && pair.receiver().established(); });
    }
    test::SilentListener sender;
    test::SilentListener receiver;
    sim::Pair pair{{}, sender, receiver, Fingerprint{1}, Fingerprint{2}};
};

TEST(Unpinned, ConnectsToAnybody) {
    UnpinnedPair pair;
    EXPECT_TRUE(pair.connect()) << "this program must be one without certificate checks";
}

TEST(Unpinned, AnHonestConnectionIsBound) {
    UnpinnedPair direct;
    ASSERT_TRUE(direct.connect());
    auto receiver = binding(LinkRole::Receiver, direct.pair.receiver());
    auto sender = binding(LinkRole::Sender, direct.pair.sender());
    EXPECT_TRUE(sender.receive(receiver.own()));
    EXPECT_TRUE(sender.done());
    EXPECT_TRUE(receiver.receive(sender.own()));
    EXPECT_TRUE(receiver.done());
}

TEST(Unpinned, AManInTheMiddleIsRefusedByBothEnds) {
    UnpinnedPair to_receiver;
    UnpinnedPair to_sender;
    ASSERT_TRUE(to_receiver.connect());
    ASSERT_TRUE(to_sender.connect());
    auto receiver = binding(LinkRole::Receiver, to_receiver.pair.receiver());
    auto sender = binding(LinkRole::Sender, to_sender.pair.sender());

    const auto at_sender = sender.receive(receiver.own());
    ASSERT_FALSE(at_sender);
    EXPECT_EQ(at_sender.error().code, ErrorCode::PeerIdentity);
    EXPECT_FALSE(sender.done());

    const auto at_receiver = receiver.receive(sender.own());
    ASSERT_FALSE(at_receiver);
    EXPECT_EQ(at_receiver.error().code, ErrorCode::PeerIdentity);
    EXPECT_FALSE(receiver.done());
}

} // namespace
} // namespace thru
