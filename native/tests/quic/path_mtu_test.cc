// Discovery of a path's datagram size, and a path that stops accepting large datagrams.
#include <algorithm>
#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "quic/datagram_limit.h"
#include "sim/virtual_link.h"

namespace thru {
namespace {

using sim::Pair;

constexpr std::size_t kFound = 1452;
constexpr std::size_t kBase = 1200;
constexpr std::size_t kSegment = 8 << 20;

/// Reads everything immediately.
struct Taker final : ConnectionListener {
    Connection *connection = nullptr;
    bool established = false;
    std::uint64_t taken = 0;

    void on_established() override { established = true; }
    void on_stream_data(StreamId, ByteView bytes, bool) override {
        taken += bytes.size();
        connection->consume_connection(bytes.size());
    }
    void on_stream_reset(StreamId) override {}
    void on_stream_closed(StreamId) override {}
};

constexpr std::array<std::uint16_t, 4> kSizes{1452, 8952, 4040, 1372};

/// The size found by a sender that tries kSizes on a link that accepts datagrams up to `largest`.
std::size_t found(std::size_t largest, bool refuses) {
    Taker sender;
    Taker receiver;
    Pair pair({.one_way_delay = kMillisecond}, sender, receiver, {.datagram_bytes = kSizes});
    sender.connection = &pair.sender();
    receiver.connection = &pair.receiver();
    pair.to_receiver().set_max_bytes(largest, refuses);
    EXPECT_TRUE(pair.run_until([&] { return sender.established; }));
    const auto stream = pair.sender().open_unidirectional();
    pair.sender().write(*stream, Bytes(kSegment), true);
    EXPECT_TRUE(pair.run_until([&] { return receiver.taken == kSegment; }, 20)) << largest;
    pair.run_until([] { return false; }, 1);
    return pair.sender().statistics(pair.now()).datagram_bytes;
}

TEST(PathMtu, TheLargestDatagramThatArrivesIsUsed) {
    EXPECT_EQ(found(9000, false), 8952U);
    EXPECT_EQ(found(4088, false), 4040U);
    EXPECT_EQ(found(1472, false), 1452U);
    EXPECT_EQ(found(1420, false), 1372U);
    EXPECT_EQ(found(1300, false), kBase);
}

TEST(PathMtu, ARefusedProbeSaysNoMoreThanThatItIsTooLarge) {
    EXPECT_EQ(found(9000, true), 8952U);
    EXPECT_EQ(found(1472, true), 1452U);
    EXPECT_EQ(found(1420, true), 1372U);
}

/// A transfer over a link that accepts only smaller datagrams later.
struct ShrinkingTransfer {
    explicit ShrinkingTransfer(std::span<const std::uint16_t> sizes = kEthernetDatagramBytes)
        : pair({.one_way_delay = 10 * kMillisecond}, sender, receiver, {.datagram_bytes = sizes}) {
        sender.connection = &pair.sender();
        receiver.connection = &pair.receiver();
    }
    void begin(std::size_t found = kFound) {
        ASSERT_TRUE(pair.run_until([&] { return sender.established; }));
        send();
        ASSERT_TRUE(pair.run_until([&] { return sending() == found && receiver.taken > 0; }));
    }
    void send() {
        const auto stream = pair.sender().open_unidirectional();
        ASSERT_TRUE(stream);
        const Bytes content(kSegment);
        pair.sender().write(*stream, content, true);
    }
    std::size_t sending() { return pair.sender().statistics(pair.now()).datagram_bytes; }
    /// Keeps enough data queued, so that there is always more to send.
    bool comes_to(std::size_t bytes, double seconds) {
        return pair.run_until(
            [&] {
                if (pair.sender().unsent_bytes() < kSegment / 2) {
                    send();
                }
                return sending() == bytes;
            },
            seconds);
    }
    bool moves(double seconds) {
        return pair.run_until(
            [&, before = receiver.taken] { return receiver.taken > before + 100'000; }, seconds);
    }

    Taker sender;
    Taker receiver;
    Pair pair;
};

TEST(PathMtu, ATransferContinuesWithinMomentsWhenLargeDatagramsBeginToVanish) {
    ShrinkingTransfer transfer;
    transfer.begin();
    transfer.pair.to_receiver().set_max_bytes(1400, false);
    // Datagrams in flight still arrive.
    transfer.pair.run_until([] { return false; }, 0.03);
    ASSERT_TRUE(transfer.moves(1)) << "within a few probe timeouts of about 60 ms";
    EXPECT_EQ(transfer.sending(), kBase);
    ASSERT_TRUE(transfer.pair.run_until([&] { return transfer.receiver.taken == kSegment; }, 20));
}

TEST(PathMtu, AStreamThatStandsStillMakesNoDatagramsSmaller) {
    ShrinkingTransfer transfer;
    auto &link = transfer.pair.to_receiver();
    link.set_in_stream(true);
    transfer.begin();
    link.set_loss(1);
    transfer.pair.run_until([] { return false; }, 1);
    link.set_loss(0);
    ASSERT_TRUE(transfer.moves(3));
    EXPECT_EQ(transfer.sending(), kFound);
    link.set_in_stream(false);
    ASSERT_TRUE(transfer.moves(1));
    link.set_max_bytes(1400, false);
    EXPECT_TRUE(transfer.comes_to(kBase, 2)) << "by datagrams alone they can vanish";
}

#ifdef NGTCP2_PATCHED_BY_THRUFLUX
TEST(PathMtu, AStreamThatComesLateCarriesLargeDatagrams) {
    ShrinkingTransfer transfer(kSizes);
    auto &link = transfer.pair.to_receiver();
    link.set_max_bytes(1472, false);
    transfer.begin();
    transfer.pair.run_until([] { return false; }, 2);
    EXPECT_EQ(transfer.sending(), kFound) << "every larger size has failed";
    link.set_in_stream(true);
    link.set_max_bytes(9000, false);
    EXPECT_TRUE(transfer.comes_to(8952, 1));
}
#endif

TEST(PathMtu, WhatDatagramsCarryWithoutTheStreamIsFoundSoon) {
    ShrinkingTransfer transfer(kSizes);
    auto &link = transfer.pair.to_receiver();
    link.set_in_stream(true);
    transfer.begin(8952);
    // The end of the stream loses datagrams in flight.
    link.set_loss(1);
    transfer.pair.run_until([] { return false; }, 0.01);
    link.set_loss(0);
    link.set_in_stream(false);
    link.set_max_bytes(1472, true);
    transfer.pair.sender().on_lossy_stream_left(transfer.pair.now());
    EXPECT_EQ(transfer.sending(), kBase);
    EXPECT_TRUE(transfer.comes_to(kFound, 2));
}

TEST(PathMtu, ARefusedDatagramIsEnoughToSendSmallerOnes) {
    ShrinkingTransfer transfer;
    transfer.begin();
    transfer.pair.to_receiver().set_max_bytes(1400, true);
    ASSERT_TRUE(transfer.pair.run_until([&] { return transfer.sending() == kBase; }, 0.1));
    ASSERT_TRUE(transfer.pair.run_until([&] { return transfer.receiver.taken == kSegment; }, 20));
}

TEST(PathMtu, LargeDatagramsAreSentAgainOnceThePathTakesThem) {
    for (const auto loss : {0.0, 0.01}) {
        ShrinkingTransfer transfer;
        transfer.begin();
        transfer.pair.to_receiver().set_max_bytes(1400, false);
        ASSERT_TRUE(transfer.pair.run_until([&] { return transfer.sending() == kBase; }, 2));
        transfer.pair.to_receiver().set_max_bytes(kFound, false);
        transfer.pair.to_receiver().set_loss(loss);
        EXPECT_TRUE(transfer.comes_to(kFound, 60)) << loss;
    }
}

TEST(PathMtu, APathThatTakesNoJumboDatagramsAnyMoreIsFoundToTakeOrdinaryOnes) {
    for (const bool refuses : {false, true}) {
        ShrinkingTransfer transfer(kSizes);
        transfer.begin(8952);
        transfer.pair.to_receiver().set_max_bytes(1472, refuses);
        ASSERT_TRUE(transfer.pair.run_until([&] { return transfer.sending() == kBase; }, 2));
        EXPECT_TRUE(transfer.comes_to(kFound, 15)) << refuses;
        EXPECT_FALSE(transfer.comes_to(kBase, 60)) << "larger ones are tried, and stay away";
        transfer.pair.to_receiver().set_max_bytes(9000, refuses);
        EXPECT_TRUE(transfer.comes_to(8952, 200)) << refuses;
    }
}

TEST(PathMtu, AProbeIsToldByItsSizeAmongWhatIsLost) {
    DatagramLimit limit(kSizes);
    EXPECT_EQ(limit.bytes(8952), 8952U);
    limit.lower(kSecond);
    EXPECT_EQ(limit.bytes(8952), kBase);
    EXPECT_FALSE(limit.may_probe(2 * kSecond));
    const auto later = 60 * kSecond;
    ASSERT_TRUE(limit.may_probe(later));
    EXPECT_EQ(limit.probe_bytes(8952), 1372U);
    EXPECT_EQ(limit.probe_bytes(1300), 1300U) << "no more than was found";
    limit.probed(1372, later, kMillisecond, {.packets = 2, .bytes = 2400});
    limit.evaluate_probe(8952, later + kSecond, later + kSecond, {.packets = 3, .bytes = 3600});
    EXPECT_EQ(limit.bytes(8952), 1372U) << "what was lost was a small one";
    limit.probed(1452, later, kMillisecond, {.packets = 3, .bytes = 3600});
    limit.evaluate_probe(8952, later + kSecond, later + kSecond, {.packets = 5, .bytes = 6400});
    EXPECT_EQ(limit.bytes(8952), 1372U) << "what was lost is the probe";
    limit.lower(later);
    EXPECT_EQ(limit.bytes(8952), kBase);
}

TEST(PathMtu, AShortPacketThatIsLostDoesNotHideTheLossOfAProbe) {
    const auto later = 60 * kSecond;
    using Losses = DatagramLimit::Losses;
    const std::vector<Losses> one_by_one{{.packets = 1, .bytes = 100},
                                         {.packets = 2, .bytes = 1472}};
    const std::vector<Losses> at_once{{.packets = 2, .bytes = 1472}};
    for (const auto &seen : {one_by_one, at_once}) {
        DatagramLimit limit(kSizes);
        limit.lower(kSecond);
        limit.probed(1372, later, kMillisecond, {});
        for (const auto &losses : seen) {
            limit.evaluate_probe(8952, later, later, losses);
        }
        limit.evaluate_probe(8952, later + kSecond, later + kSecond, seen.back());
        EXPECT_EQ(limit.bytes(8952), kBase) << seen.size();
    }
}

TEST(PathMtu, TryingAgainCostsNothingWhileThePathStaysNarrow) {
    ShrinkingTransfer transfer;
    transfer.begin();
    transfer.pair.to_receiver().set_max_bytes(1400, false);
    ASSERT_TRUE(transfer.pair.run_until([&] { return transfer.sending() == kBase; }, 2));
    auto last = transfer.pair.now();
    auto taken = transfer.receiver.taken;
    Timestamp longest = 0;
    const auto sent = transfer.receiver.taken;
    transfer.pair.run_until(
        [&] {
            if (transfer.pair.sender().unsent_bytes() < kSegment / 2) {
                transfer.send();
            }
            if (transfer.receiver.taken != taken) {
                longest =
                    sent + 10'000'000 < taken ? std::max(longest, transfer.pair.now() - last) : 0;
                taken = transfer.receiver.taken;
                last = transfer.pair.now();
            }
            return transfer.sending() != kBase;
        },
        60);
    EXPECT_EQ(transfer.sending(), kBase);
    EXPECT_LT(longest, 200 * kMillisecond);
    EXPECT_GT(taken, 100'000'000U);
}

TEST(PathMtu, AnOutageDoesNotLeaveSmallDatagramsBehind) {
    ShrinkingTransfer transfer;
    transfer.begin();
    transfer.pair.to_receiver().set_loss(1);
    transfer.pair.run_until([] { return false; }, 2);
    transfer.pair.to_receiver().set_loss(0);
    EXPECT_TRUE(transfer.comes_to(kFound, 30));
}

} // namespace
} // namespace thru
