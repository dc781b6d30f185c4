// The bottleneck of a connection, as its sender reports it, in virtual time.
#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>
#include <ngtcp2/ngtcp2.h>

#include "quic/connection.h"
#include "sim/virtual_link.h"

namespace thru {
namespace {

using sim::LinkConfig;
using sim::Pair;

/// Reads everything, and grants credit for it unless `gives_credit` is false.
struct CreditingReader final : ConnectionListener {
    Connection *connection = nullptr;
    bool established = false;
    bool gives_credit = true;
    void on_established() override { established = true; }
    void on_stream_data(StreamId stream, ByteView bytes, bool) override {
        if (gives_credit) {
            connection->consume_connection(bytes.size());
            connection->consume_stream(stream, bytes.size());
        }
    }
    void on_stream_reset(StreamId) override {}
    void on_stream_closed(StreamId) override {}
};

/// A system without room for datagrams.
struct FullSocket final : DatagramPath {
    Sent send(ByteView, std::size_t, const PathId &) override { return {}; }
};

struct BottleneckOf : testing::Test {
    void connect(const LinkConfig &link = {.rate = 12.5e6, .queue = 4 << 20}) {
        pair.emplace(link, sending, reading);
        sending.connection = &pair->sender();
        reading.connection = &pair->receiver();
        ASSERT_TRUE(pair->run_until([&] { return sending.established && reading.established; }));
    }
    void send(std::uint64_t bytes) {
        const auto stream = pair->sender().open_unidirectional();
        ASSERT_TRUE(stream);
        pair->sender().write(*stream, Bytes(bytes), true);
    }
    void run(double seconds) {
        pair->run_until([] { return false; }, seconds);
    }
    Connection::Statistics statistics() { return pair->sender().statistics(pair->now()); }
    /// The bottleneck's share of the time since the handshake.
    double share(Bottleneck bottleneck) {
        const auto times = statistics().limited_for;
        const auto all = std::accumulate(times.begin(), times.end(), Timestamp{0});
        return static_cast<double>(times.at(static_cast<std::size_t>(bottleneck))) /
               static_cast<double>(all);
    }

    CreditingReader sending;
    CreditingReader reading;
    std::optional<Pair> pair;
};

TEST_F(BottleneckOf, AnIdleSenderIsWhatItsOwnerSays) {
    connect();
    for (const auto why : {Bottleneck::Application, Bottleneck::Peer, Bottleneck::Disk}) {
        pair->sender().set_supply(why);
        run(10);
        EXPECT_EQ(statistics().limited_by, why);
    }
    EXPECT_NEAR(share(Bottleneck::Disk), 1.0 / 3, 0.01);
    EXPECT_NEAR(share(Bottleneck::Application), 1.0 / 3, 0.25);
}

TEST_F(BottleneckOf, AReaderThatGivesNoCreditIsFlowControl) {
    reading.gives_credit = false;
    connect();
    pair->sender().set_supply(Bottleneck::Disk);
    for (int segment = 0; segment < 9; ++segment) {
        send(8 << 20);
    }
    run(30);
    EXPECT_EQ(statistics().limited_by, Bottleneck::FlowControl);
    EXPECT_GT(share(Bottleneck::FlowControl), 0.7);
}

TEST_F(BottleneckOf, AStreamWithoutCreditIsFlowControlToo) {
    reading.gives_credit = false;
    connect();
    send(20 << 20);
    run(10);
    EXPECT_EQ(statistics().limited_by, Bottleneck::FlowControl);
}

TEST_F(BottleneckOf, APathThatAcknowledgesNothingIsCongestion) {
    connect();
    pair->to_receiver().set_loss(1);
    send(8 << 20);
    run(0.05);
    EXPECT_EQ(statistics().limited_by, Bottleneck::Congestion);
    EXPECT_GE(statistics().bytes_in_flight, statistics().congestion_window);
}

TEST_F(BottleneckOf, AFullCongestionWindowGoesBeforeALackOfData) {
    connect();
    pair->to_receiver().set_loss(1);
    pair->sender().set_supply(Bottleneck::SendBuffer);
    send(8 << 20);
    run(0.05);
    EXPECT_EQ(statistics().limited_by, Bottleneck::Congestion);
}

TEST_F(BottleneckOf, ASteadyFlowIsPaced) {
    connect();
    for (int segment = 0; segment < 7; ++segment) {
        send(8 << 20);
    }
    run(4);
    EXPECT_GT(share(Bottleneck::Pacing), 0.6);
    EXPECT_GT(share(Bottleneck::Pacing) + share(Bottleneck::Congestion), 0.98);
}

TEST_F(BottleneckOf, ALimitAndAPauseAreTheirOwn) {
    connect();
    RateLimiter limiter;
    limiter.set_rate(100'000);
    pair->sender().set_limiters(nullptr, &limiter);
    send(8 << 20);
    run(5);
    EXPECT_EQ(statistics().limited_by, Bottleneck::RateLimit);
    EXPECT_GT(share(Bottleneck::RateLimit), 0.9);
    pair->sender().set_paused(true);
    run(1);
    EXPECT_EQ(statistics().limited_by, Bottleneck::Paused);
    pair->sender().set_limiters(nullptr, nullptr);
}

TEST_F(BottleneckOf, AFullSocketIsTheSocket) {
    connect();
    send(8 << 20);
    FullSocket full;
    EXPECT_EQ(pair->sender().flush(full, pair->now()), FlushOutcome::PathBusy);
    EXPECT_EQ(statistics().limited_by, Bottleneck::Socket);
}

TEST_F(BottleneckOf, AReceiverIsWhatItsOwnerSaysWhateverItSends) {
    reading.gives_credit = false;
    connect();
    pair->receiver().set_supply(Bottleneck::Disk);
    send(1 << 20);
    run(1);
    const auto statistics = pair->receiver().statistics(pair->now());
    EXPECT_EQ(statistics.limited_by, Bottleneck::Disk);
    EXPECT_EQ(pair->receiver().unconsumed_bytes(), 1U << 20);
    pair->receiver().consume_connection(1 << 20);
    EXPECT_EQ(pair->receiver().unconsumed_bytes(), 0U);
}

TEST_F(BottleneckOf, TheTimesAddUpToTheConnectionsAge) {
    connect();
    const auto begun = pair->now();
    send(8 << 20);
    run(3);
    const auto times = statistics().limited_for;
    const auto all = std::accumulate(times.begin(), times.end(), Timestamp{0});
    EXPECT_NEAR(static_cast<double>(all), static_cast<double>(pair->now() - begun), 2e7);
}

TEST_F(BottleneckOf, FiguresOfAFinishedTransferAreThoseOfTheLink) {
    connect({.one_way_delay = 20 * kMillisecond, .rate = 12.5e6, .queue = 4 << 20});
    send(8 << 20);
    run(5);
    const auto figures = statistics();
    EXPECT_GE(figures.min_rtt, 40 * kMillisecond);
    EXPECT_LT(figures.min_rtt, 45 * kMillisecond);
    EXPECT_GE(figures.latest_rtt, figures.min_rtt);
    EXPECT_GE(figures.handshake, 40 * kMillisecond);
    EXPECT_LT(figures.handshake, 200 * kMillisecond);
    EXPECT_GE(figures.bytes_sent, 8U << 20);
    EXPECT_EQ(figures.bytes_in_flight, 0U);
    EXPECT_EQ(figures.packets_lost, 0U);
    EXPECT_EQ(figures.datagram_bytes, 1452U);
    EXPECT_GE(figures.datagrams_sent, (8U << 20) / 1452);
    EXPECT_GT(figures.datagrams_sent, figures.sends);
    EXPECT_FALSE(figures.slow_start_threshold);
    const auto received = pair->receiver().statistics(pair->now());
    EXPECT_EQ(received.packets_received, figures.packets_sent);
    EXPECT_EQ(received.receives, received.datagrams_received);
}

TEST_F(BottleneckOf, LostPacketsAreCounted) {
    connect({.rate = 12.5e6, .queue = 4 << 20, .loss = 0.01});
    send(8 << 20);
    run(10);
    const auto figures = statistics();
    const auto share_lost =
        static_cast<double>(figures.packets_lost) / static_cast<double>(figures.packets_sent);
    EXPECT_NEAR(share_lost, 0.01, 0.006);
    EXPECT_GT(figures.bytes_lost, 1200 * (figures.packets_lost - 1) / 2);
    EXPECT_EQ(figures.packets_late.value_or(0), 0U);
}

TEST_F(BottleneckOf, OvertakenPacketsThatWereGivenUpAreCountedAsLate) {
    connect({.one_way_delay = 40 * kMillisecond,
             .rate = 12.5e6,
             .queue = 4 << 20,
             .held = 0.01,
             .held_min = 20 * kMillisecond,
             .held_max = 30 * kMillisecond});
    send(8 << 20);
    run(10);
    const auto figures = statistics();
#ifdef NGTCP2_PATCHED_BY_THRUFLUX
    ASSERT_GT(figures.packets_lost, 0U);
    EXPECT_LE(*figures.packets_late, figures.packets_lost);
    EXPECT_GT(2 * *figures.packets_late, figures.packets_lost);
#else
    EXPECT_FALSE(figures.packets_late);
#endif
}

TEST_F(BottleneckOf, ThePacingRateIsAboutThatOfTheLink) {
    connect({.one_way_delay = 20 * kMillisecond, .rate = 12.5e6, .queue = 4 << 20});
    send(30 << 20);
    run(2);
    const auto rate = statistics().pacing_rate;
#ifdef NGTCP2_PATCHED_BY_THRUFLUX
    ASSERT_TRUE(rate);
    EXPECT_GT(*rate, 10'000'000U);
    EXPECT_LT(*rate, 16'000'000U);
#else
    EXPECT_FALSE(rate);
#endif
}

} // namespace
} // namespace thru
