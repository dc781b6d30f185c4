// Paused and limited connections, served by one loop as in the engine, in virtual time.
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "base/rate_limiter.h"
#include "quic/connection.h"
#include "sim/virtual_link.h"

namespace thru {
namespace {

using sim::LinkConfig;
using sim::VirtualLink;

constexpr std::uint64_t kOneSegment = 8 << 20;
constexpr std::uint64_t kQueuedAhead = 4 << 20;

struct Counter final : ConnectionListener {
    Connection *connection = nullptr;
    bool established = false;
    std::uint64_t data = 0;
    std::uint64_t control = 0;

    void on_established() override { established = true; }
    void on_stream_data(StreamId stream, ByteView bytes, bool fin) override {
        const bool bidirectional = (stream & 2) == 0;
        (bidirectional ? control : data) += bytes.size();
        connection->consume_connection(bytes.size());
        if (bidirectional) {
            connection->consume_stream(stream, bytes.size());
        } else if (fin) {
            connection->allow_stream();
        }
    }
    void on_stream_reset(StreamId) override {}
    void on_stream_closed(StreamId) override {}
};

/// A sender with endless data, its receiver and the link between them.
struct Transfer {
    Transfer(const LinkConfig &link, const Timestamp &now)
        : to_receiver(link, now), to_sender(link, now),
          sender(Connection::server(
              *sender_identity.server_context(receiver_identity.fingerprint()), {}, sent)),
          receiver(
              *Connection::client(*receiver_identity.client_context(sender_identity.fingerprint()),
                                  {}, received, now)) {
        sent.connection = sender.get();
        received.connection = receiver.get();
    }

    void refill() {
        while (endless && sent.established && sender->unsent_bytes() < kQueuedAhead) {
            if (!stream) {
                stream = sender->open_unidirectional();
            }
            if (!stream) {
                return;
            }
            in_stream += chunk.size;
            const bool last = in_stream == kOneSegment;
            sender->write(*stream, chunk, last);
            if (last) {
                stream.reset();
                in_stream = 0;
            }
        }
    }

    Identity sender_identity = *Identity::create();
    Identity receiver_identity = *Identity::create();
    VirtualLink to_receiver;
    VirtualLink to_sender;
    Counter sent;
    Counter received;
    std::unique_ptr<Connection> sender;
    std::unique_ptr<Connection> receiver;
    bool endless = true;
    std::optional<StreamId> stream;
    std::uint64_t in_stream = 0;
    Chunk chunk{std::make_shared<Bytes>(kChunkBytes, std::uint8_t{7}), kChunkBytes};
};

class Loop {
public:
    Transfer &add(const LinkConfig &link = {
                      .one_way_delay = kMillisecond, .rate = 1.25e9, .queue = 16 << 20}) {
        return *transfers_.emplace_back(std::make_unique<Transfer>(link, now_));
    }

    void run(double seconds) {
        const auto end = now_ + static_cast<Timestamp>(seconds * 1e9);
        while (now_ < end) {
            turn(end);
        }
    }

    Timestamp now() const { return now_; }
    /// Number of times that the loop woke up.
    std::uint64_t turns() const { return turns_; }

private:
    void turn(Timestamp end) {
        ++turns_;
        auto next = end;
        bool more = false;
        // Each connection reports its deadline before the next one is served.
        for (const auto &transfer : transfers_) {
            transfer->refill();
            for (auto *connection : {transfer->sender.get(), transfer->receiver.get()}) {
                auto &path = connection == transfer->sender.get() ? transfer->to_receiver
                                                                  : transfer->to_sender;
                connection->on_deadline(now_);
                more = connection->flush(path, now_) == FlushOutcome::More || more;
                next = std::min(next, connection->deadline());
            }
            next = std::min(
                {next, transfer->to_receiver.next_arrival(), transfer->to_sender.next_arrival()});
        }
        if (more) {
            return;
        }
        now_ = std::max(next, now_ + kMicrosecond);
        for (const auto &transfer : transfers_) {
            transfer->to_receiver.deliver(*transfer->receiver);
            transfer->to_sender.deliver(*transfer->sender);
        }
    }

    Timestamp now_ = kSecond;
    std::uint64_t turns_ = 0;
    std::vector<std::unique_ptr<Transfer>> transfers_;
};

/// Seconds for which to measure a rate: `seconds`, or the time of 100 MB if that is shorter.
double seconds_of(std::uint64_t rate, double seconds) {
    return std::min(seconds, 1e8 / static_cast<double>(rate));
}

/// Bytes per second that arrive while `loop` runs for `seconds`.
double rate_of(Loop &loop, Transfer &transfer, double seconds) {
    const auto before = transfer.received.data;
    loop.run(seconds);
    return static_cast<double>(transfer.received.data - before) / seconds;
}

TEST(LimitedConnection, KeepsWithinFivePercentOfItsOwnAndOfTheSharedLimit) {
    for (const std::uint64_t rate : {200'000U, 5'000'000U, 200'000'000U}) {
        for (const bool shared : {false, true}) {
            RateLimiter limiter;
            limiter.set_rate(rate);
            Loop loop;
            auto &transfer = loop.add();
            transfer.sender->set_limiters(shared ? &limiter : nullptr, shared ? nullptr : &limiter);
            loop.run(0.1);
            const auto due = static_cast<double>(rate);
            EXPECT_NEAR(rate_of(loop, transfer, seconds_of(rate, 2)), due, due / 20)
                << rate << " " << shared;
        }
    }
}

TEST(LimitedConnection, KeepsItsLimitOnALossyLink) {
    RateLimiter limiter;
    limiter.set_rate(1'000'000);
    Loop loop;
    auto &transfer =
        loop.add({.one_way_delay = 20 * kMillisecond, .rate = 12.5e6, .loss = 0.01, .seed = 3});
    transfer.sender->set_limiters(nullptr, &limiter);
    loop.run(1);
    EXPECT_NEAR(rate_of(loop, transfer, 10), 1e6, 5e4);
}

TEST(LimitedConnection, TheLowerOfTwoLimitsCounts) {
    for (const bool shared_is_lower : {false, true}) {
        RateLimiter low;
        RateLimiter high;
        low.set_rate(1'000'000);
        high.set_rate(3'000'000);
        Loop loop;
        auto &transfer = loop.add();
        transfer.sender->set_limiters(shared_is_lower ? &low : &high,
                                      shared_is_lower ? &high : &low);
        loop.run(0.1);
        EXPECT_NEAR(rate_of(loop, transfer, 3), 1e6, 5e4);
    }
}

TEST(LimitedConnection, WakesTheLoopLittleMoreOftenThanASlowLinkDoes) {
    std::array<std::uint64_t, 2> turns{};
    for (const bool limited : {false, true}) {
        RateLimiter shared;
        shared.set_rate(6'000'000);
        Loop loop;
        for (int index = 0; index < 3; ++index) {
            auto &transfer = loop.add(
                {.one_way_delay = kMillisecond, .rate = limited ? 1.25e9 : 2e6, .queue = 16 << 20});
            transfer.sender->set_limiters(limited ? &shared : nullptr, nullptr);
        }
        loop.run(0.5);
        const auto before = loop.turns();
        loop.run(2);
        turns.at(limited ? 1 : 0) = loop.turns() - before;
    }
    EXPECT_LT(turns[1], 2 * turns[0]);
}

TEST(LimitedConnection, SendsLargeBurstsHoweverOftenItIsServed) {
    for (const bool shared : {false, true}) {
        RateLimiter limiter;
        limiter.set_rate(200'000'000);
        Loop loop;
        auto &transfer = loop.add({.one_way_delay = 100 * kMicrosecond, .rate = 1.25e9});
        transfer.sender->set_limiters(shared ? &limiter : nullptr, shared ? nullptr : &limiter);
        loop.run(0.5);
        const auto bytes = transfer.to_receiver.bytes_sent();
        const auto calls = transfer.to_receiver.calls();
        loop.run(0.5);
        EXPECT_GT((transfer.to_receiver.bytes_sent() - bytes) /
                      (transfer.to_receiver.calls() - calls),
                  20'000U)
            << shared;
    }
}

TEST(LimitedConnection, ThoseWhoShareALimitGetEqualParts) {
    for (const std::uint64_t rate : {200'000U, 5'000'000U, 100'000'000U}) {
        RateLimiter shared;
        shared.set_rate(rate);
        Loop loop;
        std::vector<Transfer *> transfers;
        for (const auto delay : {kMillisecond, 10 * kMillisecond, 40 * kMillisecond}) {
            transfers.push_back(
                &loop.add({.one_way_delay = delay, .rate = 1.25e9, .queue = 16 << 20}));
            transfers.back()->sender->set_limiters(&shared, nullptr);
        }
        loop.run(1);
        std::vector<std::uint64_t> before;
        for (const auto *transfer : transfers) {
            before.push_back(transfer->received.data);
        }
        const auto seconds = seconds_of(rate, 4);
        loop.run(seconds);
        const auto due = static_cast<double>(rate) * seconds / 3;
        for (std::size_t index = 0; index < transfers.size(); ++index) {
            const auto part = transfers[index]->received.data - before[index];
            EXPECT_NEAR(static_cast<double>(part), due, due / 10) << rate << " " << index;
        }
    }
}

TEST(LimitedConnection, WhatOneMayNotUseGoesToTheOthers) {
    RateLimiter shared;
    shared.set_rate(4'000'000);
    RateLimiter own;
    own.set_rate(500'000);
    Loop loop;
    auto &slow = loop.add();
    slow.sender->set_limiters(&shared, &own);
    auto &idle = loop.add();
    idle.endless = false;
    idle.sender->set_limiters(&shared, nullptr);
    auto &buffered = loop.add();
    buffered.sender->set_limiters(&shared, nullptr);
    buffered.sender->set_paused(true);
    auto &narrow = loop.add({.one_way_delay = kMillisecond, .rate = 500'000, .queue = 1 << 16});
    narrow.sender->set_limiters(&shared, nullptr);
    auto &fast = loop.add();
    fast.sender->set_limiters(&shared, nullptr);
    loop.run(1);
    const auto slow_before = slow.received.data;
    const auto narrow_before = narrow.received.data;
    const auto rate = rate_of(loop, fast, 4);
    const auto slow_rate = static_cast<double>(slow.received.data - slow_before) / 4;
    const auto narrow_rate = static_cast<double>(narrow.received.data - narrow_before) / 4;
    EXPECT_NEAR(slow_rate, 5e5, 2.5e4);
    EXPECT_GT(narrow_rate, 3.5e5);
    EXPECT_NEAR(rate + slow_rate + narrow_rate, 4e6, 2e5);
}

TEST(LimitedConnection, OneThatEndsLeavesItsPartToTheOthers) {
    RateLimiter shared;
    shared.set_rate(2'000'000);
    Loop loop;
    auto &stays = loop.add();
    auto &ends = loop.add();
    auto &vanishes = loop.add();
    for (auto *transfer : {&stays, &ends, &vanishes}) {
        transfer->sender->set_limiters(&shared, nullptr);
    }
    loop.run(1);
    ends.sender->close(std::nullopt, ends.to_receiver, loop.now());
    vanishes.sent.established = false;
    vanishes.sender.reset();
    vanishes.sender = Connection::server(
        *vanishes.sender_identity.server_context(vanishes.receiver_identity.fingerprint()), {},
        vanishes.sent);
    ends.endless = false;
    vanishes.endless = false;
    EXPECT_NEAR(rate_of(loop, stays, 2), 2e6, 1e5);
}

TEST(LimitedConnection, AChangedLimitTakesEffectAtOnce) {
    RateLimiter limiter;
    Loop loop;
    auto &transfer = loop.add();
    transfer.sender->set_limiters(nullptr, &limiter);
    limiter.set_rate(200'000);
    loop.run(1);
    for (const auto rate : {5'000'000U, 500'000U, 20'000'000U}) {
        limiter.set_rate(rate);
        // Enough for data in flight and one visit.
        loop.run(0.01);
        EXPECT_NEAR(rate_of(loop, transfer, 0.5), rate, 0.05 * rate);
    }
    limiter.set_rate(0);
    EXPECT_GT(rate_of(loop, transfer, 0.1), 1e8);
    EXPECT_FALSE(transfer.sender->stall().limited);
}

TEST(LimitedConnection, ControlDataDoesNotWaitForTheLimit) {
    RateLimiter limiter;
    limiter.set_rate(1'000);
    Loop loop;
    auto &transfer = loop.add();
    transfer.sender->set_limiters(&limiter, nullptr);
    loop.run(0.5);
    const auto control = transfer.receiver->open_bidirectional();
    ASSERT_TRUE(control);
    transfer.receiver->write(*control, Bytes(10), false);
    loop.run(0.1);
    transfer.sender->write(*control, Bytes(100'000), false);
    loop.run(0.5);
    EXPECT_EQ(transfer.sent.control, 10U);
    EXPECT_EQ(transfer.received.control, 100'000U);
    EXPECT_LT(transfer.received.data, 10'000U);
}

TEST(PausedConnection, SendsControlDataOnlyAndStaysUp) {
    Loop loop;
    auto &transfer = loop.add();
    transfer.sender->set_paused(true);
    loop.run(3600);
    ASSERT_TRUE(transfer.sent.established);
    EXPECT_FALSE(transfer.sender->closed());
    const auto control = transfer.receiver->open_bidirectional();
    ASSERT_TRUE(control);
    transfer.receiver->write(*control, Bytes(10), false);
    loop.run(0.1);
    transfer.sender->write(*control, Bytes(1000), false);
    loop.run(0.1);
    EXPECT_EQ(transfer.sent.control, 10U);
    EXPECT_EQ(transfer.received.control, 1000U);
    EXPECT_EQ(transfer.received.data, 0U);
    EXPECT_GT(transfer.sender->unsent_bytes(), 0U);
    // An hour of keep-alives, and nothing else.
    EXPECT_LT(loop.turns(), 20'000U);
}

TEST(PausedConnection, ContinuesWhereItStopped) {
    Loop loop;
    auto &transfer = loop.add({.one_way_delay = 5 * kMillisecond, .loss = 0.01, .seed = 2});
    loop.run(1);
    transfer.sender->set_paused(true);
    // Data in flight arrives; lost data is sent again.
    loop.run(2);
    const auto stopped = transfer.received.data;
    EXPECT_GT(stopped, 0U);
    EXPECT_EQ(transfer.sender->unacknowledged_bytes(), transfer.sender->unsent_bytes());
    loop.run(10);
    EXPECT_EQ(transfer.received.data, stopped);
    transfer.sender->set_paused(false);
    transfer.endless = false;
    loop.run(5);
    EXPECT_EQ(transfer.sender->unacknowledged_bytes(), 0U);
    EXPECT_GT(transfer.received.data, stopped);
}

} // namespace
} // namespace thru
