// Two sides with different relay settings.
#include <chrono>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/engine_pair.h"
#include "support/local_relay_posix.h"

namespace thru {
namespace {

/// Time that the server has to name a relay.
constexpr Timestamp kRelayWait = 3 * kSecond;

struct RelayPair : EnginePair {
    RelayPair(RelayUse share, RelayUse receive, std::vector<TurnServer> turn = {}) {
        share_relays = share;
        receive_relays = receive;
        receive_turn = std::move(turn);
        write_source("a.bin", 1000);
        start({source().string()});
    }
};

// TURN-14
TEST(EngineRelays, AReceiverThatUsesOnlyRelaysIsToldThatThereIsNone) {
    RelayPair pair(RelayUse::Automatic, RelayUse::Only);
    pair.receiver.wait_for<PairingDoneEvent>();
    pair.receiver.advance(kRelayWait);
    EXPECT_EQ(pair.receiver.wait_for<FailedEvent>().error.code, ErrorCode::NoRelay);
    EXPECT_EQ(pair.receiver.count<ConnectedEvent>(), 0U);
}

// TURN-14
TEST(EngineRelays, ASenderThatUsesOnlyRelaysIsToldThatThereIsNone) {
    RelayPair pair(RelayUse::Only, RelayUse::Automatic);
    pair.sender.wait_for<PairingDoneEvent>();
    pair.sender.advance(kRelayWait);
    EXPECT_EQ(pair.sender.wait_for<FailedEvent>().error.code, ErrorCode::NoRelay);
    EXPECT_EQ(pair.sender.count<ConnectedEvent>(), 0U);
}

/// Each side receives relays from the server, besides those of the other side.
TEST(EngineRelays, ThoseThatComeBeforeTheProofOfTheSenderAreAskedAfterIt) {
    const test::LocalRelay relay;
    RelayPair pair(RelayUse::Automatic, RelayUse::Only);
    pair.receiver.post(AddRelays{EnginePair::kReceive, "s", {relay.server()}});
    EXPECT_TRUE(relay.was_asked());
}

// TURN-15
TEST(EngineRelays, OneSideThatUsesOnlyRelaysAndOneThatUsesNoneAreToldApart) {
    RelayPair pair(RelayUse::Only, RelayUse::Never);
    EXPECT_EQ(pair.sender.wait_for<FailedEvent>().error.code, ErrorCode::NoRoute);
    EXPECT_EQ(pair.receiver.wait_for<FailedEvent>().error.code, ErrorCode::NotDirect);
    RelayPair other(RelayUse::Never, RelayUse::Only);
    EXPECT_EQ(other.sender.wait_for<FailedEvent>().error.code, ErrorCode::NotDirect);
    EXPECT_EQ(other.receiver.wait_for<FailedEvent>().error.code, ErrorCode::NoRoute);
}

// TURN-15
TEST(EngineRelays, SidesThatUseNoneAreConnectedDirectly) {
    for (const auto other : {RelayUse::Automatic, RelayUse::Never}) {
        RelayPair pair(RelayUse::Never, other);
        EXPECT_NE(pair.receiver.wait_for<ConnectedEvent>().route.kind, Route::Kind::Relay);
        EXPECT_NE(pair.sender.wait_for<ConnectedEvent>().route.kind, Route::Kind::Relay);
    }
}

/// A relay queried before the sender's proof would have to be given up with its sockets, which the
/// sender's checks may have selected by then.
TEST(EngineRelays, AReceiverAsksNoRelayThatTheSenderRefuses) {
    const test::LocalRelay relay;
    RelayPair pair(RelayUse::Never, RelayUse::Automatic, {relay.server()});
    pair.receiver.wait_for<ConnectedEvent>();
    EXPECT_FALSE(relay.was_asked(std::chrono::milliseconds(0)));
}

TEST(EngineRelays, AReceiverAsksItsOwnRelayAfterTheProofOfTheSender) {
    const test::LocalRelay relay;
    RelayPair pair(RelayUse::Automatic, RelayUse::Automatic, {relay.server()});
    EXPECT_TRUE(relay.was_asked());
}

} // namespace
} // namespace thru
