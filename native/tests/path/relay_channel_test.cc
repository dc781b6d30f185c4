#include "path/relay/relay_channel.h"

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "support/turn_messages.h"

namespace thru::test {

namespace {

using Next = RelayChannel::Next;

Bytes joined(const std::vector<Bytes> &datagrams) {
    Bytes all;
    for (const auto &each : datagrams) {
        all.insert(all.end(), each.begin(), each.end());
    }
    return all;
}

/// The results of one batch.
struct Received {
    Next next;
    std::vector<Bytes> datagrams;
};

Received receive(RelayChannel &channel, ByteView bytes, std::size_t segment) {
    Received received{};
    received.next = channel.receive(bytes, segment, [&](ByteView datagram) {
        received.datagrams.emplace_back(datagram.begin(), datagram.end());
    });
    return received;
}

Received receive(RelayChannel &channel, const Bytes &datagram) {
    return receive(channel, datagram, std::max<std::size_t>(1, datagram.size()));
}

} // namespace

TEST(RelayChannel, LearnsItsNumberFromTheFirstDatagramOfTheOtherSide) {
    RelayChannel channel;
    EXPECT_FALSE(channel.number());
    const Bytes data{test::kQuicByte, 1, 2};
    const auto received = receive(channel, channel_data(test::kFirstTurnChannel, data));
    EXPECT_EQ(received.next, Next::GoOn);
    EXPECT_EQ(received.datagrams, std::vector<Bytes>{data});
    EXPECT_EQ(channel.number(), test::kFirstTurnChannel);
}

TEST(RelayChannel, FindsEachDatagramOfABatch) {
    RelayChannel channel;
    const std::vector<Bytes> sent{Bytes(100, test::kQuicByte), Bytes(100, test::kQuicByte + 1),
                                  Bytes(7, test::kQuicByte + 2)};
    const auto batch = joined({channel_data(test::kFirstTurnChannel, sent[0]),
                               channel_data(test::kFirstTurnChannel, sent[1]),
                               channel_data(test::kFirstTurnChannel, sent[2])});
    EXPECT_EQ(receive(channel, batch, 104).datagrams, sent);
}

TEST(RelayChannel, FramesWhatItFindsAgain) {
    RelayChannel sending;
    receive(sending, channel_data(test::kFirstTurnChannel, Bytes{test::kQuicByte}));
    RelayChannel receiving;
    Bytes burst(43 * 1448 + 9, test::kQuicByte);
    const ByteView framed = sending.frame(burst, 1448);
    EXPECT_EQ(framed.size(), burst.size() + 44 * kChannelHeaderBytes);
    const auto received = receive(receiving, framed, 1448 + kChannelHeaderBytes);
    ASSERT_EQ(received.datagrams.size(), 44u);
    EXPECT_EQ(joined(received.datagrams), burst);
    EXPECT_EQ(receiving.number(), test::kFirstTurnChannel);
}

TEST(RelayChannel, LeavesPaddingOut) {
    RelayChannel channel;
    auto padded = channel_data(test::kFirstTurnChannel, Bytes{test::kQuicByte, 1, 2, 3, 4});
    padded.resize(padded.size() + 3);
    EXPECT_EQ(receive(channel, padded).datagrams,
              (std::vector<Bytes>{Bytes{test::kQuicByte, 1, 2, 3, 4}}));
}

// TURN-07
TEST(RelayChannel, TakesNothingThatIsCut) {
    RelayChannel channel;
    const auto whole = channel_data(test::kFirstTurnChannel, Bytes(30, test::kQuicByte));
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const auto received =
            receive(channel, {whole.begin(), whole.begin() + static_cast<int>(size)});
        EXPECT_TRUE(received.datagrams.empty()) << size;
        EXPECT_EQ(received.next, Next::GoOn) << size;
    }
    EXPECT_FALSE(channel.number());
}

// TURN-07
TEST(RelayChannel, TakesNoNumberThatIsNoChannels) {
    for (const auto number : std::to_array<std::uint16_t>({0x3fff, 0x5000, 0x7fff, 0xffff})) {
        RelayChannel channel;
        EXPECT_TRUE(
            receive(channel, channel_data(number, Bytes{test::kQuicByte})).datagrams.empty())
            << number;
        EXPECT_FALSE(channel.number()) << number;
    }
}

TEST(RelayChannel, LearnsNothingFromStunOfTheOtherSide) {
    RelayChannel channel;
    const auto received =
        receive(channel, channel_data(test::kFirstTurnChannel, stun_header(kBindingIndication)));
    EXPECT_TRUE(received.datagrams.empty());
    EXPECT_EQ(received.next, Next::GoOn);
    EXPECT_FALSE(channel.number());
}

TEST(RelayChannel, AsksForLibniceWhenTheServerAnswers) {
    RelayChannel channel;
    receive(channel, channel_data(test::kFirstTurnChannel, Bytes{test::kQuicByte}));
    EXPECT_EQ(receive(channel, stun_header(kRefreshSuccess)).next, Next::Control);
    EXPECT_EQ(channel.number(), test::kFirstTurnChannel);
}

TEST(RelayChannel, DeliversWhatStandsAroundAnAnswer) {
    RelayChannel channel;
    const auto answer = stun_header(kRefreshSuccess);
    const Bytes data(answer.size() - kChannelHeaderBytes, test::kQuicByte);
    const auto batch = joined({channel_data(test::kFirstTurnChannel, data), answer,
                               channel_data(test::kFirstTurnChannel, data)});
    const auto received = receive(channel, batch, answer.size());
    EXPECT_EQ(received.next, Next::Control);
    EXPECT_EQ(received.datagrams, (std::vector{data, data}));
}

// TURN-09
TEST(RelayChannel, IsLostWhenDataComesOutsideOfIt) {
    RelayChannel channel;
    receive(channel, channel_data(test::kFirstTurnChannel, Bytes{test::kQuicByte}));
    EXPECT_EQ(receive(channel, stun_header(kDataIndication)).next, Next::Control);
    EXPECT_FALSE(channel.number());
}

// TURN-09
TEST(RelayChannel, IsLostWhenDataComesThroughAnother) {
    RelayChannel channel;
    receive(channel, channel_data(test::kFirstTurnChannel, Bytes{test::kQuicByte}));
    const auto received =
        receive(channel, channel_data(test::kFirstTurnChannel + 1, Bytes{test::kQuicByte}));
    EXPECT_TRUE(received.datagrams.empty());
    EXPECT_EQ(received.next, Next::Control);
    EXPECT_FALSE(channel.number());
}

// TURN-07
TEST(RelayChannel, TakesAnyBytesOfAServer) {
    constexpr int kRounds = 20'000;
    std::mt19937 random(1);
    RelayChannel channel;
    for (int round = 0; round < kRounds; ++round) {
        Bytes bytes(random() % 200);
        std::ranges::generate(bytes, [&] { return static_cast<std::uint8_t>(random()); });
        // Half of them begin like ChannelData.
        if (bytes.size() > 2 && random() % 2 == 0) {
            bytes[0] = 0x40;
            bytes[2] = 0;
        }
        const auto segment = 1 + random() % 200;
        for (const auto &datagram : receive(channel, bytes, segment).datagrams) {
            EXPECT_LE(datagram.size() + kChannelHeaderBytes,
                      std::min<std::size_t>(segment, bytes.size()));
        }
    }
}

} // namespace thru::test
