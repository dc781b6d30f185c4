// The congestion controller on a route that looks local: the round trip decides.
#include <gtest/gtest.h>
#include <ngtcp2/ngtcp2.h>

#include "sim/bulk_line.h"

namespace thru {
namespace {

using sim::BulkLine;
using sim::BulkSender;
using sim::CountingReceiver;
using sim::Pair;

constexpr Timestamp kShort = 250 * kMicrosecond;
constexpr Timestamp kLong = 20 * kMillisecond;

/// Settings of a local route.
ConnectionSettings local() {
    return {.congestion_control = CongestionControl::Cubic, .cubic_up_to = kLocalRoundTrip};
}

CongestionControl present(Pair &pair) {
    return pair.sender().statistics(pair.now()).congestion_control;
}

class CongestionChoice : public testing::Test {
protected:
    void SetUp() override {
#ifndef NGTCP2_PATCHED_BY_THRUFLUX
        GTEST_SKIP() << "this ngtcp2 comes from elsewhere, without our patches";
#endif
    }
};

TEST_F(CongestionChoice, AShortRoundTripIsCubics) {
    BulkLine line(local(), kShort);
    EXPECT_EQ(present(line.pair), CongestionControl::Cubic);
    BulkLine cubic({.congestion_control = CongestionControl::Cubic}, kShort);
    EXPECT_EQ(line.receiver.received, cubic.receiver.received);
}

TEST_F(CongestionChoice, ALongOneIsBbrsThoughTheAddressesLookLocal) {
    BulkLine line(local(), kLong);
    EXPECT_EQ(present(line.pair), CongestionControl::Bbr);
    line.set_loss(0.01);
    const auto received = line.receiver.received;
    line.run(8);
    // CUBIC gets less than a tenth of the link here.
    EXPECT_GT(line.receiver.received - received, 60'000'000U) << "of 100 MB";
}

TEST_F(CongestionChoice, BetweenNetworksOfASiteCubicIsUsedInStreamsOnly) {
    auto settings = local();
    settings.cubic_in_streams_only = true;
    BulkLine line(settings, kShort);
    EXPECT_EQ(present(line.pair), CongestionControl::Bbr);
    line.pair.to_receiver().set_in_stream(true);
    line.run(1);
    EXPECT_EQ(present(line.pair), CongestionControl::Cubic);
    line.pair.to_receiver().set_in_stream(false);
    line.run(1);
    EXPECT_EQ(present(line.pair), CongestionControl::Bbr);
}

TEST_F(CongestionChoice, AfterALossyStreamBbrStaysHoweverShortTheRoundTrip) {
    BulkLine line(local(), kShort);
    line.pair.sender().on_lossy_stream_left(line.pair.now());
    line.set_loss(0.01);
    const auto received = line.receiver.received;
    line.run(8);
    EXPECT_EQ(present(line.pair), CongestionControl::Bbr);
    EXPECT_GT(line.receiver.received - received, 80'000'000U) << "of 100 MB";
}

TEST_F(CongestionChoice, WithoutALocalRouteBbrStaysHoweverShortTheRoundTrip) {
    BulkLine line({}, kShort);
    EXPECT_EQ(present(line.pair), CongestionControl::Bbr);
}

TEST_F(CongestionChoice, AComputerThatWasBusyDuringTheHandshakeGetsCubicLater) {
    BulkSender sender;
    CountingReceiver receiver;
    Pair pair({.one_way_delay = kShort}, sender, receiver, local());
    sender.connection = &pair.sender();
    receiver.connection = &pair.receiver();
    pair.to_receiver().set_fate([&](std::size_t) -> std::vector<Timestamp> {
        return {receiver.received < 1'000'000 ? kLong : 0};
    });
    ASSERT_TRUE(pair.run_until([&] {
        sender.pump();
        return receiver.received > 0;
    }));
    EXPECT_EQ(present(pair), CongestionControl::Bbr);
    ASSERT_TRUE(pair.run_until([&] {
        sender.pump();
        return receiver.received > 10'000'000;
    }));
    EXPECT_EQ(present(pair), CongestionControl::Cubic);
}

TEST_F(CongestionChoice, AnotherPathIsMeasuredAnew) {
    BulkLine line(local(), kShort);
    ngtcp2_sockaddr_in elsewhere{};
    elsewhere.sin_family = AF_INET;
    elsewhere.sin_addr.s_addr = htonl(0xc6336401);
    elsewhere.sin_port = htons(4000);
    line.pair.move_receiver(Address(reinterpret_cast<const sockaddr &>(elsewhere)));
    line.pair.to_receiver().set_fate([](std::size_t) { return std::vector<Timestamp>{kLong}; });
    line.run(3);
    EXPECT_EQ(present(line.pair), CongestionControl::Bbr);
    EXPECT_FALSE(line.over());
}

} // namespace
} // namespace thru
