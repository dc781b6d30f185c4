// Addresses that change during a transfer: a router lost a mapping, or chose another port.
#include <gtest/gtest.h>

#include <ngtcp2/ngtcp2.h>

#include <algorithm>
#include <vector>

#include "sim/bulk_line.h"

namespace thru {
namespace {

using sim::BulkLine;

/// An address of a router with this port.
Address port(std::uint16_t number) {
    constexpr std::uint32_t kRouter = 0xc6336401;
    ngtcp2_sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(kRouter);
    address.sin_port = htons(number);
    return Address(reinterpret_cast<const sockaddr &>(address));
}

TEST(Migration, AReceiverThatIsSeenElsewhereIsFollowedAtOnce) {
    for (const auto algorithm : {CongestionControl::Bbr, CongestionControl::Cubic}) {
        BulkLine line({.congestion_control = algorithm});
        line.pair.move_receiver(port(4000));
        EXPECT_LT(line.next_data(), 1.0);
        const auto received = line.receiver.received;
        line.run(4);
        EXPECT_GT(line.receiver.received - received, 20'000'000U) << "half of what the link takes";
        EXPECT_FALSE(line.over());
    }
}

TEST(Migration, ASenderThatIsSeenElsewhereIsFollowedAtOnce) {
    for (const auto algorithm : {CongestionControl::Bbr, CongestionControl::Cubic}) {
        BulkLine line({.congestion_control = algorithm});
        line.pair.move_sender(port(4000));
        EXPECT_LT(line.next_data(), 1.0);
        const auto received = line.receiver.received;
        line.run(4);
        EXPECT_GT(line.receiver.received - received, 20'000'000U);
        EXPECT_FALSE(line.over());
    }
}

TEST(Migration, BothAreFollowedInTurn) {
    BulkLine line;
    for (std::uint16_t round = 0; round < 20; ++round) {
        line.pair.move_receiver(port(static_cast<std::uint16_t>(4000 + round)));
        EXPECT_LT(line.next_data(), 1.0) << round;
        line.run(1);
        line.pair.move_sender(port(static_cast<std::uint16_t>(5000 + round)));
        EXPECT_LT(line.next_data(), 2.5) << round;
        line.run(1.5);
    }
    EXPECT_FALSE(line.over());
}

TEST(Migration, AnAddressFromBeforeIsTakenAgain) {
    BulkLine line;
    for (int round = 0; round < 5; ++round) {
        line.pair.move_receiver(port(4000));
        EXPECT_LT(line.next_data(), 1.0);
        line.run(1);
        line.pair.move_receiver({});
        EXPECT_LT(line.next_data(), 1.0);
        line.run(1);
    }
    EXPECT_FALSE(line.over());
}

TEST(Migration, AnIdleConnectionFollowsWithTheNextSignOfLife) {
    BulkLine line;
    line.pair.sender().set_paused(true);
    line.run(20);
    line.pair.move_receiver(port(4000));
    line.run(20);
    EXPECT_FALSE(line.pair.sender().silent());
    line.pair.sender().set_paused(false);
    EXPECT_LT(line.next_data(), 1.0);
}

TEST(Migration, ANewAddressAfterAnOutageIsFollowed) {
    BulkLine line;
    line.set_loss(1);
    line.run(50);
    line.pair.move_receiver(port(4000));
    line.set_loss(0);
    EXPECT_LT(line.next_data(), 2.5);
    EXPECT_FALSE(line.over());
}

/// The delay after the last change depends on its timing, so the median of five runs is used.
TEST(Migration, ARouterThatChangesItsMindAllTheTimeEndsNothing) {
    std::vector<double> waits;
    for (const double head_start : {0.0, 0.037, 0.074, 0.111, 0.148}) {
        BulkLine line;
        line.run(head_start);
        for (std::uint16_t round = 0; round < 300; ++round) {
            line.pair.move_receiver(port(static_cast<std::uint16_t>(4000 + round)));
            line.run(0.1);
        }
        waits.push_back(line.next_data());
        EXPECT_FALSE(line.over());
    }
    std::ranges::sort(waits);
    EXPECT_LT(waits[2], 2.0) << testing::PrintToString(waits);
}

TEST(Migration, TheNewPathFindsItsOwnDatagramSize) {
    BulkLine line;
    const auto before = line.pair.sender().statistics(line.pair.now()).datagram_bytes;
    line.pair.to_receiver().set_max_bytes(1300, false);
    line.pair.move_receiver(port(4000));
    EXPECT_LT(line.next_data(), 3.0);
    line.run(3);
    EXPECT_LT(line.pair.sender().statistics(line.pair.now()).datagram_bytes, before);
    line.pair.to_receiver().set_max_bytes(65'535, false);
    line.pair.move_receiver(port(4001));
    line.run(5);
    EXPECT_EQ(line.pair.sender().statistics(line.pair.now()).datagram_bytes, before);
}

TEST(Migration, StrangersMoveNobody) {
    BulkLine line;
    Bytes rubbish(1200, std::uint8_t{0x41});
    const auto to_receiver = line.pair.to_receiver().bytes_sent();
    for (std::uint16_t round = 0; round < 2000; ++round) {
        rubbish[20] = static_cast<std::uint8_t>(round);
        const PathId stranger{.remote = port(static_cast<std::uint16_t>(1 + round))};
        line.pair.sender().on_datagrams(rubbish, rubbish.size(), line.pair.now(), stranger);
        line.pair.receiver().on_datagrams(rubbish, rubbish.size(), line.pair.now(), stranger);
        line.run(0.001);
    }
    EXPECT_GT(line.pair.to_receiver().bytes_sent() - to_receiver, 15'000'000U);
    EXPECT_FALSE(line.over());
}

TEST(Migration, AChangeDuringTheHandshakeOnlyDelaysOrEndsIt) {
    sim::BulkSender sender;
    sim::CountingReceiver receiver;
    sim::Pair pair({.one_way_delay = 50 * kMillisecond}, sender, receiver, ConnectionSettings{});
    sender.connection = &pair.sender();
    receiver.connection = &pair.receiver();
    pair.run_until([] { return false; }, 0.06);
    pair.move_receiver(port(4000));
    EXPECT_TRUE(pair.run_until(
        [&] { return receiver.established || pair.receiver().closed().has_value(); }, 30));
}

/// A relayed line of 40 ms and 20 Mbit/s, and a direct line of 10 ms and 80 Mbit/s.
struct RelayedLine : BulkLine {
    RelayedLine() {
        pair.to_receiver().set_rate(2.5e6);
        run(2);
    }
    sim::Line &direct = pair.add_line({.one_way_delay = 5 * kMillisecond, .rate = 10e6});

    std::uint64_t received_in(double seconds) {
        const auto before = receiver.received;
        run(seconds);
        return receiver.received - before;
    }
};

TEST(Migration, AnotherPathIsUsedByBothOnceItHasAnswered) {
    RelayedLine line;
    ASSERT_TRUE(line.pair.receiver().move_to(1, line.pair.now()));
    EXPECT_LT(line.next_data(), 0.1) << "data goes on meanwhile";
    line.run(1);
    EXPECT_EQ(line.pair.receiver().path_id().local, 1);
    EXPECT_EQ(line.pair.sender().path_id().local, 1);
    const auto relayed = line.pair.to_receiver().bytes_sent();
    EXPECT_GT(line.received_in(3), 20'000'000U) << "the rate is that of the new path";
    EXPECT_LT(line.pair.to_receiver().bytes_sent() - relayed, 10'000U) << "some probes at most";
    EXPECT_FALSE(line.over());
}

TEST(Migration, APathThatDoesNotAnswerIsNotUsedAndDelaysNothing) {
    RelayedLine line;
    line.direct.set_loss(1);
    const auto before = line.received_in(2);
    ASSERT_TRUE(line.pair.receiver().move_to(1, line.pair.now()));
    EXPECT_FALSE(line.pair.receiver().move_to(1, line.pair.now())) << "once a second";
    EXPECT_GT(line.received_in(2), before * 9 / 10);
    line.run(5);
    EXPECT_EQ(line.pair.receiver().path_id().local, 0);
    EXPECT_EQ(line.pair.sender().path_id().local, 0);
    EXPECT_FALSE(line.over());
}

TEST(Migration, APathThatLeadsOneWayOnlyIsNotUsed) {
    RelayedLine line;
    line.direct.to_receiver.set_loss(1);
    ASSERT_TRUE(line.pair.receiver().move_to(1, line.pair.now()));
    EXPECT_GT(line.received_in(4), 4'000'000U);
    EXPECT_EQ(line.pair.receiver().path_id().local, 0);
    EXPECT_FALSE(line.over());
}

TEST(Migration, TheFirstPathIsTakenAgainWhenTheOtherBreaks) {
    RelayedLine line;
    ASSERT_TRUE(line.pair.receiver().move_to(1, line.pair.now()));
    line.run(3);
    line.direct.set_loss(1);
    line.run(4);
    ASSERT_TRUE(line.pair.receiver().silent());
    ASSERT_TRUE(line.pair.receiver().move_to(0, line.pair.now()));
    EXPECT_LT(line.next_data(), 1.0);
    line.run(1);
    EXPECT_EQ(line.pair.sender().path_id().local, 0);
    EXPECT_GT(line.received_in(3), 5'000'000U);
    EXPECT_FALSE(line.over());
}

TEST(Migration, AReceiverChangesToAndFroSeveralTimes) {
    RelayedLine line;
    for (int round = 0; round < 8; ++round) {
        const auto next = static_cast<std::uint16_t>(1 - round % 2);
        ASSERT_TRUE(line.pair.receiver().move_to(next, line.pair.now())) << round;
        EXPECT_LT(line.next_data(), 0.5) << round;
        line.run(5);
        EXPECT_EQ(line.pair.sender().path_id().local, next);
    }
    EXPECT_FALSE(line.over());
}

} // namespace
} // namespace thru
