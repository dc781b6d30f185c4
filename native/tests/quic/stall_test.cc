// The reasons for a stall, as a connection reports them.
#include <gtest/gtest.h>

#include "quic/connection.h"
#include "sim/virtual_link.h"

namespace thru {
namespace {

using sim::LinkConfig;
using sim::Pair;

/// Grants credit only on demand.
struct Reader final : ConnectionListener {
    bool established = false;
    std::uint64_t received = 0;
    void on_established() override { established = true; }
    void on_stream_data(StreamId, ByteView bytes, bool) override { received += bytes.size(); }
    void on_stream_reset(StreamId) override {}
    void on_stream_closed(StreamId) override {}
};

struct StalledConnection : testing::Test {
    void SetUp() override {
        ASSERT_TRUE(pair.run_until([&] { return sending.established && reading.established; }));
    }
    void send(std::uint64_t bytes) {
        const auto stream = pair.sender().open_unidirectional();
        ASSERT_TRUE(stream);
        pair.sender().write(*stream, Bytes(bytes), true);
    }
    void run(double seconds) {
        pair.run_until([] { return false; }, seconds);
    }
    Connection::Stall stall() { return pair.sender().stall(); }

    Reader sending;
    Reader reading;
    Pair pair{LinkConfig{.rate = 125e6, .queue = 4 << 20}, sending, reading};
};

TEST_F(StalledConnection, WithNothingToSendNothingIsInTheWay) {
    run(1);
    EXPECT_FALSE(stall().flow_blocked);
    EXPECT_FALSE(stall().limited);
    EXPECT_EQ(stall().bytes_in_flight, 0U);
    EXPECT_EQ(stall().last_acknowledged, 0U);
}

TEST_F(StalledConnection, AReaderThatTakesNothingMoreBlocksTheConnection) {
    for (int segment = 0; segment < 9; ++segment) {
        send(8 << 20);
    }
    run(0.2);
    EXPECT_FALSE(stall().flow_blocked);
    run(10);
    EXPECT_EQ(reading.received, kConnectionWindow);
    EXPECT_TRUE(stall().flow_blocked);
    EXPECT_FALSE(stall().limited);
    EXPECT_EQ(stall().bytes_in_flight, 0U);
    pair.receiver().consume_connection(kConnectionWindow);
    run(10);
    EXPECT_EQ(reading.received, 9U * (8 << 20));
    EXPECT_FALSE(stall().flow_blocked);
}

TEST_F(StalledConnection, AStreamWithoutCreditBlocksOnlyWhenNoOtherHasSome) {
    send(20 << 20);
    run(5);
    EXPECT_TRUE(stall().flow_blocked);
    RateLimiter slow;
    slow.set_rate(1'000);
    pair.sender().set_limiters(nullptr, &slow);
    send(1 << 20);
    run(0.1);
    EXPECT_FALSE(stall().flow_blocked);
    EXPECT_TRUE(stall().limited);
    pair.sender().set_limiters(nullptr, nullptr);
}

TEST_F(StalledConnection, ALinkThatLosesEverythingShowsInTheLastAcknowledgement) {
    send(100'000);
    run(1);
    const auto before = stall().last_acknowledged;
    EXPECT_EQ(stall().bytes_in_flight, 0U);
    // A long pause is no stall: the time starts when data is sent.
    run(60);
    const auto lost_at = pair.now();
    pair.to_receiver().set_loss(1);
    send(100'000);
    run(5);
    EXPECT_GT(stall().bytes_in_flight, 0U);
    EXPECT_FALSE(stall().flow_blocked);
    EXPECT_FALSE(stall().limited);
    EXPECT_GT(stall().last_acknowledged, before);
    EXPECT_NEAR(static_cast<double>(stall().last_acknowledged), static_cast<double>(lost_at), 1e6);
    pair.to_receiver().set_loss(0);
    run(10);
    EXPECT_EQ(reading.received, 200'000U);
    EXPECT_GT(stall().last_acknowledged, lost_at + 5 * kSecond);
    EXPECT_EQ(stall().bytes_in_flight, 0U);
}

TEST_F(StalledConnection, ALimitIsReportedApartFromAHold) {
    RateLimiter limiter;
    limiter.set_rate(10'000);
    pair.sender().set_limiters(nullptr, &limiter);
    send(1 << 20);
    run(1);
    EXPECT_TRUE(stall().limited);
    pair.sender().set_paused(true);
    run(1);
    EXPECT_FALSE(stall().limited);
    EXPECT_FALSE(stall().flow_blocked);
    EXPECT_EQ(stall().bytes_in_flight, 0U);
    pair.sender().set_paused(false);
    run(1);
    EXPECT_TRUE(stall().limited);
    limiter.set_rate(0);
    run(1);
    EXPECT_EQ(reading.received, 1U << 20);
    EXPECT_FALSE(stall().limited);
    pair.sender().set_limiters(nullptr, nullptr);
}

} // namespace
} // namespace thru
