// Connections in virtual time: behavior of links, and reports to the listener.
#include "quic/connection.h"

#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "base/buffer_pool.h"
#include "sim/virtual_link.h"

namespace thru {
namespace {

using sim::LinkConfig;
using sim::Pair;

/// Collects the events of a connection, and grants credit immediately.
struct Recorder final : ConnectionListener {
    Connection *connection = nullptr;
    bool established = false;
    std::map<StreamId, Bytes> received;
    std::map<StreamId, bool> ended;
    std::map<StreamId, bool> reset;
    std::map<StreamId, bool> closed;

    void on_established() override { established = true; }
    void on_stream_data(StreamId stream, ByteView bytes, bool fin) override {
        auto &all = received[stream];
        all.insert(all.end(), bytes.begin(), bytes.end());
        ended[stream] = fin;
        connection->consume_connection(bytes.size());
    }
    void on_stream_reset(StreamId stream) override { reset[stream] = true; }
    void on_stream_closed(StreamId stream) override { closed[stream] = true; }
};

struct Fixture {
    explicit Fixture(const LinkConfig &config) : pair(config, sender, receiver) {
        sender.connection = &pair.sender();
        receiver.connection = &pair.receiver();
    }
    bool connect() {
        return pair.run_until([&] { return sender.established && receiver.established; });
    }
    Recorder sender;
    Recorder receiver;
    Pair pair;
};

Bytes random_content(std::size_t size, std::uint32_t seed) {
    std::mt19937 random(seed);
    Bytes content(size);
    for (auto &byte : content) {
        byte = static_cast<std::uint8_t>(random());
    }
    return content;
}

void send_in_chunks(Connection &connection, StreamId stream, const Bytes &content) {
    const auto pool = BufferPool::create();
    for (std::size_t at = 0; at < content.size();) {
        auto chunk = pool->take();
        chunk.size = std::min(kChunkBytes, content.size() - at);
        std::copy_n(content.begin() + static_cast<std::ptrdiff_t>(at), chunk.size,
                    chunk.bytes->begin());
        at += chunk.size;
        connection.write(stream, std::move(chunk), at == content.size());
    }
}

TEST(Connection, BothEndsEstablishAndNoSooner) {
    Fixture fixture({});
    EXPECT_FALSE(fixture.pair.receiver().established());
    ASSERT_TRUE(fixture.connect());
    // One round trip for the handshake, and half of one for the confirmation.
    EXPECT_LT(fixture.pair.now(), kSecond + 100 * kMillisecond);
}

TEST(Connection, CountsWhatEachStreamHolds) {
    Fixture fixture({});
    ASSERT_TRUE(fixture.connect());
    auto &sender = fixture.pair.sender();
    const auto one = *sender.open_unidirectional();
    const auto other = *sender.open_unidirectional();
    sender.write(one, Bytes(1'000), false);
    sender.write(other, Bytes(500), false);
    EXPECT_EQ(sender.unacknowledged_bytes(one), 1'000U);
    EXPECT_EQ(sender.unacknowledged_bytes(other), 500U);
    ASSERT_TRUE(fixture.pair.run_until([&] { return sender.unsent_bytes(one) == 0; }));
    EXPECT_EQ(sender.unacknowledged_bytes(one), 1'000U) << "sent, but on its path_id";
    ASSERT_TRUE(fixture.pair.run_until([&] { return sender.unacknowledged_bytes() == 0; }));
    EXPECT_EQ(sender.unacknowledged_bytes(one), 0U);
    EXPECT_EQ(sender.unacknowledged_bytes(other), 0U);
}

TEST(Connection, StreamsArriveWholeOverALossyLink) {
    for (const std::uint32_t seed : {1U, 2U, 3U}) {
        Fixture fixture({.one_way_delay = 20 * kMillisecond, .loss = 0.02, .seed = seed});
        ASSERT_TRUE(fixture.connect());
        std::map<StreamId, Bytes> sent;
        for (std::uint32_t index = 0; index < 3; ++index) {
            const auto stream = fixture.pair.sender().open_unidirectional();
            ASSERT_TRUE(stream);
            sent[*stream] = random_content(700'000 + index, index);
            send_in_chunks(fixture.pair.sender(), *stream, sent[*stream]);
        }
        ASSERT_TRUE(fixture.pair.run_until([&] {
            return fixture.receiver.ended.size() == 3 &&
                   std::ranges::all_of(fixture.receiver.ended,
                                       [](const auto &each) { return each.second; });
        }));
        EXPECT_TRUE(fixture.receiver.received == sent) << "seed " << seed;
        ASSERT_TRUE(fixture.pair.run_until(
            [&] { return fixture.pair.sender().unacknowledged_bytes() == 0; }));
    }
}

TEST(Connection, UsesMostOfACleanLongPath) {
    const LinkConfig link{
        .one_way_delay = 50 * kMillisecond, .rate = 12.5e6, .queue = 1 << 20, .loss = 0, .seed = 1};
    Fixture fixture(link);
    ASSERT_TRUE(fixture.connect());
    const auto begun = fixture.pair.now();
    std::size_t sent = 0;
    const auto content = random_content(8 << 20, 7);
    for (int segment = 0; segment < 6; ++segment) {
        const auto stream = fixture.pair.sender().open_unidirectional();
        ASSERT_TRUE(stream);
        send_in_chunks(fixture.pair.sender(), *stream, content);
        sent += content.size();
    }
    ASSERT_TRUE(fixture.pair.run_until(
        [&] { return fixture.pair.sender().unacknowledged_bytes() == 0; }, 120));
    const auto seconds = static_cast<double>(fixture.pair.now() - begun) / 1e9;
    const auto goodput = static_cast<double>(sent) / seconds;
    // In virtual time, the figure depends on the congestion controller alone.
    EXPECT_GT(goodput, 0.75 * link.rate) << seconds << " s";
}

TEST(Connection, AStrangersCertificateIsRefusedByEitherEnd) {
    for (const bool sender_is_wrong : {true, false}) {
        Recorder sender;
        Recorder receiver;
        const auto stranger = Identity::create();
        ASSERT_TRUE(stranger);
        // Both expect another peer; the first to verify refuses, and the other receives the error.
        Pair pair({}, sender, receiver, stranger->fingerprint(), stranger->fingerprint());
        sender.connection = &pair.sender();
        receiver.connection = &pair.receiver();
        auto &connection = sender_is_wrong ? pair.sender() : pair.receiver();
        ASSERT_TRUE(pair.run_until([&] { return connection.closed().has_value(); }));
        ASSERT_TRUE(connection.closed()->error);
        EXPECT_EQ(connection.closed()->error->code, ErrorCode::PeerIdentity);
        EXPECT_FALSE(sender.established);
        EXPECT_FALSE(receiver.established);
    }
}

TEST(Connection, APeerThatVanishesIsNoticedAfterTheIdleTimeout) {
    Fixture fixture({});
    ASSERT_TRUE(fixture.connect());
    fixture.pair.to_sender().set_loss(1);
    fixture.pair.to_receiver().set_loss(1);
    ASSERT_TRUE(fixture.pair.run_until(
        [&] { return fixture.pair.sender().closed() && fixture.pair.receiver().closed(); }, 140));
    EXPECT_EQ(fixture.pair.sender().closed()->error->code, ErrorCode::PeerGone);
    EXPECT_EQ(fixture.pair.receiver().closed()->error->code, ErrorCode::PeerGone);
}

TEST(Connection, AnIdleConnectionStaysUpForHours) {
    Fixture fixture({});
    ASSERT_TRUE(fixture.connect());
    EXPECT_FALSE(fixture.pair.run_until(
        [&] { return fixture.pair.sender().closed() || fixture.pair.receiver().closed(); },
        3 * 3600));
}

TEST(Connection, ClosingTellsTheOtherSideTheErrorByName) {
    Fixture fixture({});
    ASSERT_TRUE(fixture.connect());
    fixture.pair.sender().close(Error{ErrorCode::Stopped, 0, {}}, fixture.pair.to_receiver(),
                                fixture.pair.now());
    ASSERT_TRUE(
        fixture.pair.run_until([&] { return fixture.pair.receiver().closed().has_value(); }));
    EXPECT_TRUE(fixture.pair.receiver().closed()->by_peer);
    EXPECT_EQ(fixture.pair.receiver().closed()->error->code, ErrorCode::Stopped);
}

TEST(Connection, ClosingInGoodOrderIsNoError) {
    Fixture fixture({});
    ASSERT_TRUE(fixture.connect());
    fixture.pair.receiver().close(std::nullopt, fixture.pair.to_sender(), fixture.pair.now());
    ASSERT_TRUE(fixture.pair.run_until([&] { return fixture.pair.sender().closed().has_value(); }));
    EXPECT_FALSE(fixture.pair.sender().closed()->error);
}

TEST(Connection, TheReasonIsReportedThoughTheFirstTellingIsLost) {
    Fixture fixture({});
    ASSERT_TRUE(fixture.connect());
    const auto stream = fixture.pair.sender().open_unidirectional();
    ASSERT_TRUE(stream);
    send_in_chunks(fixture.pair.sender(), *stream, random_content(8 << 20, 3));
    ASSERT_TRUE(fixture.pair.run_until([&] { return !fixture.receiver.received.empty(); }));
    fixture.pair.to_sender().set_loss(1);
    fixture.pair.receiver().close(Error{ErrorCode::Cancelled, 0, {}}, fixture.pair.to_sender(),
                                  fixture.pair.now());
    const auto ends = fixture.pair.receiver().closing_until();
    EXPECT_GT(ends, fixture.pair.now() + 30 * kMillisecond);
    EXPECT_LT(ends, fixture.pair.now() + kSecond);
    fixture.pair.to_sender().set_loss(0);
    ASSERT_TRUE(
        fixture.pair.run_until([&] { return fixture.pair.sender().closed().has_value(); }, 1));
    EXPECT_EQ(fixture.pair.sender().closed()->error->code, ErrorCode::Cancelled);
}

TEST(Connection, AnswersInTheClosingPeriodBecomeRare) {
    Fixture fixture({});
    ASSERT_TRUE(fixture.connect());
    fixture.pair.receiver().close(std::nullopt, fixture.pair.to_sender(), fixture.pair.now());
    struct Counting final : DatagramPath {
        int sent = 0;
        Sent send(ByteView bytes, std::size_t, const PathId &) override {
            ++sent;
            return {.bytes = bytes.size()};
        }
    } path;
    const auto datagram = random_content(1200, 4);
    for (int count = 0; count < 1000; ++count) {
        fixture.pair.receiver().on_datagrams(datagram, datagram.size(), fixture.pair.now());
        fixture.pair.receiver().flush(path, fixture.pair.now());
    }
    EXPECT_EQ(path.sent, 10);
}

TEST(Connection, AResetStreamIsReportedAndLetsGoOfItsData) {
    Fixture fixture({});
    ASSERT_TRUE(fixture.connect());
    const auto stream = fixture.pair.sender().open_unidirectional();
    ASSERT_TRUE(stream);
    send_in_chunks(fixture.pair.sender(), *stream, random_content(4 << 20, 3));
    ASSERT_TRUE(fixture.pair.run_until([&] { return !fixture.receiver.received.empty(); }));
    fixture.pair.sender().reset(*stream);
    EXPECT_EQ(fixture.pair.sender().unacknowledged_bytes(), 0U);
    EXPECT_FALSE(fixture.sender.closed[*stream]) << "before the other side can know";
    ASSERT_TRUE(fixture.pair.run_until([&] { return fixture.sender.closed[*stream]; }));
    EXPECT_TRUE(fixture.receiver.reset[*stream]);
}

TEST(Connection, DataWaitsForCreditAndThenContinues) {
    Fixture fixture({.rate = 125e6, .queue = 4 << 20});
    ASSERT_TRUE(fixture.connect());
    struct Stingy final : ConnectionListener {
        std::uint64_t received = 0;
        void on_established() override {}
        void on_stream_data(StreamId, ByteView bytes, bool) override { received += bytes.size(); }
        void on_stream_reset(StreamId) override {}
        void on_stream_closed(StreamId) override {}
    } stingy;
    Recorder sender;
    Pair pair({.rate = 125e6, .queue = 4 << 20}, sender, stingy);
    sender.connection = &pair.sender();
    ASSERT_TRUE(pair.run_until([&] { return sender.established; }));
    const auto content = random_content(8 << 20, 9);
    for (int segment = 0; segment < 9; ++segment) {
        const auto stream = pair.sender().open_unidirectional();
        ASSERT_TRUE(stream);
        send_in_chunks(pair.sender(), *stream, content);
    }
    EXPECT_FALSE(pair.run_until([&] { return stingy.received > kConnectionWindow; }, 20));
    EXPECT_EQ(stingy.received, kConnectionWindow);
    pair.receiver().consume_connection(kConnectionWindow);
    ASSERT_TRUE(pair.run_until([&] { return stingy.received == 9U * content.size(); }, 20));
}

TEST(Connection, RubbishOnTheSocketDoesNotBeginAConnection) {
    Recorder listener;
    const auto identity = Identity::create();
    ASSERT_TRUE(identity);
    const auto server =
        Connection::server(*identity->server_context(identity->fingerprint()), {}, listener);
    std::mt19937 random(5);
    for (std::size_t size = 1; size < 1400; size += 7) {
        const auto rubbish = random_content(size, static_cast<std::uint32_t>(random()));
        server->on_datagrams(rubbish, rubbish.size(), kSecond);
    }
    EXPECT_FALSE(server->established());
    EXPECT_FALSE(server->closed());
}

} // namespace
} // namespace thru
