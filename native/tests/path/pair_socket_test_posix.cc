#include "path/pair_socket.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <stun/usages/timer.h>

#include "path/loopback_socket_posix.h"
#include "support/turn_messages.h"

namespace thru::test {

namespace {

constexpr auto kBoundChannel = test::kFirstTurnChannel;

NiceAddress address_of(const LoopbackSocket &socket) {
    NiceAddress address;
    nice_address_set_from_sockaddr(&address, socket.address());
    return address;
}

class PairSocketTest : public testing::Test, public DatagramListener {
protected:
    void take(bool relayed) {
        pair_ = std::make_unique<PairSocket>(
            loop_, *this,
            PairSocket::Settings{.descriptor = near_.descriptor(),
                                 .to = address_of(far_),
                                 .relayed = relayed,
                                 .lent_ms = 1,
                                 .set_agent_reading =
                                     [this](bool reads) {
                                         agent_reads_ = reads;
                                         readers_.push_back(reads);
                                     },
                                 .on_received = [this](const sockaddr &) { return remote_; }});
    }

    void run_until(const std::function<bool()> &done) {
        constexpr Timestamp kMost = 10 * kSecond;
        const auto end = loop_.now() + kMost;
        while (!done() && loop_.now() < end) {
            loop_.run_once(loop_.now() + kMillisecond);
        }
        EXPECT_TRUE(done());
    }
    void run_until_received(std::size_t count) {
        run_until([&] { return received_.size() >= count; });
    }
    /// Lets the server forward a datagram of the other side.
    void learn_channel() {
        far_.send(channel_data(kBoundChannel, Bytes{kQuicByte}), near_);
        run_until_received(1);
    }

    void on_writable() override {}
    void on_datagrams(ByteView bytes, std::size_t segment, const Address &from) override {
        from_ = from;
        for (; !bytes.empty(); bytes = bytes.subspan(std::min(segment, bytes.size()))) {
            const auto one = bytes.first(std::min(segment, bytes.size()));
            received_.emplace_back(one.begin(), one.end());
        }
    }

    EventLoop loop_;
    LoopbackSocket near_;
    /// The other computer, or the TURN server.
    LoopbackSocket far_;
    std::vector<Bytes> received_;
    bool agent_reads_ = true;
    PairSocket::Remote remote_ = PairSocket::Remote::Expected;
    /// Sender of the last datagram.
    Address from_;
    /// The reader after each change: true for the agent, false for this side.
    std::vector<bool> readers_;
    std::unique_ptr<PairSocket> pair_;
};

} // namespace

TEST_F(PairSocketTest, TakesQuicAndLeavesStunOfADirectRoute) {
    take(false);
    EXPECT_TRUE(pair_->sends());
    const Bytes data(20, kQuicByte);
    for (const auto &datagram : {data, stun_header(test::kRefreshSuccess), data}) {
        far_.send(datagram, near_);
    }
    run_until_received(2);
    EXPECT_EQ(received_, (std::vector{data, data}));
    EXPECT_FALSE(agent_reads_);
}

TEST_F(PairSocketTest, AnswersWhereItIsToldThatTheOtherSideIs) {
    take(false);
    const LoopbackSocket moved;
    const Bytes data(20, kQuicByte);
    moved.send(data, near_);
    run_until_received(1);
    pair_->send(data, data.size());
    EXPECT_TRUE(far_.has_come());
    EXPECT_TRUE(from_.empty());
    remote_ = PairSocket::Remote::Moved;
    moved.send(data, near_);
    run_until_received(2);
    pair_->send(data, data.size());
    EXPECT_TRUE(moved.has_come());
    EXPECT_TRUE(from_.empty());
}

TEST_F(PairSocketTest, TellsAnAddressThatNobodyKnowsAndCanAnswerIt) {
    take(false);
    remote_ = PairSocket::Remote::Unknown;
    const LoopbackSocket unknown;
    const Bytes data(20, kQuicByte);
    unknown.send(data, near_);
    run_until_received(1);
    EXPECT_EQ(from_, Address(*unknown.address()));
    pair_->send(data, data.size());
    EXPECT_TRUE(far_.has_come());
    EXPECT_FALSE(unknown.has_come());
    EXPECT_EQ(pair_->send_to(from_, data, data.size()).bytes, data.size());
    EXPECT_TRUE(unknown.has_come());
}

TEST_F(PairSocketTest, LetsLibniceSendUntilTheRelaysChannelIsKnown) {
    take(true);
    EXPECT_FALSE(pair_->sends());
    learn_channel();
    EXPECT_TRUE(pair_->sends());
}

TEST_F(PairSocketTest, SendsChannelDataToTheRelay) {
    take(true);
    learn_channel();
    const Bytes burst(2 * 1448 + 5, kQuicByte);
    const auto sent = pair_->send(burst, 1448);
    EXPECT_EQ(sent.bytes, burst.size());
    EXPECT_FALSE(sent.too_large);
    EXPECT_EQ(far_.next(), channel_data(kBoundChannel, Bytes(1448, kQuicByte)));
    EXPECT_EQ(far_.next(), channel_data(kBoundChannel, Bytes(1448, kQuicByte)));
    EXPECT_EQ(far_.next(), channel_data(kBoundChannel, Bytes(5, kQuicByte)));
    EXPECT_EQ(far_.next(), Bytes{});
}

// TURN-08
TEST_F(PairSocketTest, TakesNothingThatTheRelayDidNotSend) {
    take(true);
    const LoopbackSocket stranger;
    stranger.send(channel_data(kBoundChannel + 1, Bytes{kQuicByte, 1}), near_);
    stranger.send(stun_header(test::kRefreshSuccess), near_);
    learn_channel();
    stranger.send(channel_data(kBoundChannel, Bytes{kQuicByte, 2}), near_);
    far_.send(channel_data(kBoundChannel, Bytes{kQuicByte, 3}), near_);
    run_until_received(2);
    EXPECT_EQ(received_, (std::vector<Bytes>{Bytes{kQuicByte}, Bytes{kQuicByte, 3}}));
    EXPECT_EQ(readers_, std::vector{false});
}

TEST_F(PairSocketTest, LendsTheSocketToLibniceWhenTheRelayAnswersIt) {
    take(true);
    learn_channel();
    far_.send(stun_header(test::kRefreshSuccess), near_);
    far_.send(channel_data(kBoundChannel, Bytes{kQuicByte, 1}), near_);
    run_until([&] { return readers_.size() == 3; });
    EXPECT_EQ(readers_, (std::vector{false, true, false}));
    // Data that arrived meanwhile is not lost, and the channel is the same.
    run_until_received(2);
    EXPECT_EQ(received_.back(), (Bytes{kQuicByte, 1}));
    EXPECT_TRUE(pair_->sends());
}

TEST_F(PairSocketTest, EmptyDatagramsOfStrangersDontHoldUpWhatTheRelayPassesOn) {
    take(true);
    learn_channel();
    const LoopbackSocket stranger;
    constexpr int kEmpty = 400;
    for (int each = 0; each < kEmpty; ++each) {
        stranger.send({}, near_);
    }
    far_.send(channel_data(kBoundChannel, Bytes{kQuicByte}), near_);
    int turns = 0;
    run_until([&] {
        ++turns;
        return received_.size() >= 2;
    });
    // Each turn reads at least sixteen datagrams, and a pause may follow each turn that reads.
    EXPECT_LE(turns, kEmpty / 8);
}

// Requests are sent immediately, after 0.5 s and after 1.5 s; the last waits half a second.
TEST(PairSocketSettings, LibniceHasTheSocketForAsLongAsItRepeatsARequest) {
    static_assert(STUN_TIMER_DEFAULT_MAX_RETRANSMISSIONS == 3);
    EXPECT_GE(PairSocket::Settings{}.lent_ms, 4U * STUN_TIMER_DEFAULT_TIMEOUT);
}

TEST_F(PairSocketTest, LeavesTheSocketToLibniceWhileItIsLent) {
    take(true);
    learn_channel();
    far_.send(stun_header(test::kRefreshSuccess), near_);
    run_until([&] { return agent_reads_; });
    far_.send(channel_data(kBoundChannel, Bytes{kQuicByte, 1}), near_);
    EXPECT_EQ(near_.next(), channel_data(kBoundChannel, Bytes{kQuicByte, 1}));
    EXPECT_TRUE(pair_->sends());
}

// TURN-09
TEST_F(PairSocketTest, FindsOutAgainWhenTheRelayHasLostTheChannel) {
    take(true);
    learn_channel();
    far_.send(stun_header(test::kDataIndication), near_);
    run_until([&] { return readers_.size() == 3; });
    EXPECT_FALSE(pair_->sends());
    far_.send(channel_data(kBoundChannel + 1, Bytes{kQuicByte}), near_);
    run_until_received(2);
    EXPECT_TRUE(pair_->sends());
}

TEST_F(PairSocketTest, GivesTheSocketBackAtItsEnd) {
    take(true);
    pair_.reset();
    EXPECT_EQ(readers_, (std::vector{false, true}));
}

TEST_F(PairSocketTest, EndsWhileTheSocketIsLent) {
    take(true);
    far_.send(stun_header(test::kRefreshSuccess), near_);
    run_until([&] { return agent_reads_; });
    pair_.reset();
    loop_.run_once(loop_.now() + 20 * kMillisecond);
    EXPECT_EQ(readers_, (std::vector{false, true}));
}

} // namespace thru::test
