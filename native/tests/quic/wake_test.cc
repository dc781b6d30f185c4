// What a connection does when its computer wakes up.
#include <gtest/gtest.h>

#include "sim/virtual_link.h"

namespace thru {
namespace {

using sim::Pair;

struct Listener final : ConnectionListener {
    Connection *connection = nullptr;
    bool established = false;
    void on_established() override { established = true; }
    void on_stream_data(StreamId, ByteView bytes, bool) override {
        connection->consume_connection(bytes.size());
    }
    void on_stream_reset(StreamId) override {}
    void on_stream_closed(StreamId) override {}
};

struct Line {
    Line() : pair({.one_way_delay = 50 * kMillisecond}, sender, receiver) {
        sender.connection = &pair.sender();
        receiver.connection = &pair.receiver();
        EXPECT_TRUE(pair.run_until([&] { return sender.established && receiver.established; }));
        pair.run_until([] { return false; }, 1);
    }
    void cut() {
        pair.to_sender().set_loss(1);
        pair.to_receiver().set_loss(1);
    }
    bool ends(double seconds) {
        return pair.run_until([&] { return pair.receiver().closed().has_value(); }, seconds);
    }

    Listener sender;
    Listener receiver;
    Pair pair;
};

TEST(Wake, AfterALongSleepTheConnectionIsOverAndTheOtherSideIsReported) {
    Line line;
    line.pair.receiver().on_wake(40 * kSecond, line.pair.now());
    ASSERT_TRUE(line.pair.receiver().closed());
    EXPECT_EQ(line.pair.receiver().closed()->error->code, ErrorCode::PeerGone);
    ASSERT_TRUE(line.pair.run_until([&] { return line.pair.sender().closed().has_value(); }, 0.2));
    EXPECT_EQ(line.pair.sender().closed()->error->code, ErrorCode::PeerGone);
}

TEST(Wake, AfterAShortSleepALiveConnectionContinues) {
    Line line;
    line.pair.receiver().on_wake(10 * kSecond, line.pair.now());
    EXPECT_FALSE(line.ends(60));
    line.pair.sender().on_wake(10 * kSecond, line.pair.now());
    EXPECT_FALSE(line.ends(60));
    EXPECT_FALSE(line.pair.sender().closed());
}

TEST(Wake, AfterAShortSleepADeadConnectionEndsWithinMoments) {
    Line line;
    line.cut();
    line.pair.receiver().on_wake(10 * kSecond, line.pair.now());
    EXPECT_FALSE(line.ends(1)) << "an answer may take a second";
    ASSERT_TRUE(line.ends(0.6));
    EXPECT_EQ(line.pair.receiver().closed()->error->code, ErrorCode::PeerGone);
}

TEST(Wake, WhatWasSentBeforeIsNoSignOfLife) {
    Line line;
    const auto stream = line.pair.sender().open_unidirectional();
    ASSERT_TRUE(stream);
    const Bytes content(1 << 20);
    line.pair.sender().write(*stream, content, true);
    line.pair.run_until([] { return false; }, 0.04);
    line.cut();
    line.pair.receiver().on_wake(10 * kSecond, line.pair.now());
    EXPECT_TRUE(line.ends(2));
}

} // namespace
} // namespace thru
