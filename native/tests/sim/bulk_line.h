// A sender with endless data, on a line that a test controls.
#pragma once

#include <algorithm>

#include <gtest/gtest.h>

#include "sim/bulk_sender.h"
#include "sim/virtual_link.h"

namespace thru::sim {

/// Counts received data, and grants credit immediately.
struct CountingReceiver final : ConnectionListener {
    Connection *connection = nullptr;
    bool established = false;
    std::uint64_t received = 0;
    void on_established() override { established = true; }
    void on_stream_data(StreamId, ByteView bytes, bool) override {
        received += bytes.size();
        connection->consume_connection(bytes.size());
    }
    void on_stream_reset(StreamId) override {}
    void on_stream_closed(StreamId) override { connection->allow_stream(); }
};

struct BulkLine {
    explicit BulkLine(const ConnectionSettings &settings = {},
                      Timestamp one_way = 20 * kMillisecond)
        : BulkLine(LinkConfig{.one_way_delay = one_way}, settings) {}
    explicit BulkLine(const LinkConfig &link, const ConnectionSettings &settings = {})
        : pair(link, sender, receiver, settings) {
        sender.connection = &pair.sender();
        receiver.connection = &pair.receiver();
        EXPECT_TRUE(pair.run_until([&] { return receiver.established; }));
        run(3);
    }
    void run(double seconds) {
        pair.run_until(
            [&] {
                sender.pump();
                return false;
            },
            seconds);
    }
    /// Seconds until more data arrives.
    double next_data() {
        const auto before = receiver.received;
        const auto begun = pair.now();
        EXPECT_TRUE(pair.run_until(
            [&] {
                sender.pump();
                return receiver.received > before;
            },
            100));
        return static_cast<double>(pair.now() - begun) / 1e9;
    }
    /// Runs; returns the longest smoothed round trip meanwhile, in seconds.
    double longest_round_trip(double seconds) {
        Timestamp longest = 0;
        pair.run_until(
            [&] {
                sender.pump();
                longest = std::max(longest, pair.sender().statistics(pair.now()).smoothed_rtt);
                return false;
            },
            seconds);
        return static_cast<double>(longest) / 1e9;
    }
    void set_loss(double loss) {
        pair.to_sender().set_loss(loss);
        pair.to_receiver().set_loss(loss);
    }
    bool over() { return pair.sender().closed() || pair.receiver().closed(); }

    BulkSender sender;
    CountingReceiver receiver;
    Pair pair;
};

} // namespace thru::sim
