#include "path/own_socket.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "support/turn_messages.h"

namespace thru {

namespace {

using test::channel_data;
using test::kQuicByte;
using test::stun_header;

constexpr auto kBoundChannel = test::kFirstTurnChannel;

/// A bound socket of the loopback network.
class TurnPlace {
public:
    TurnPlace() : descriptor_(::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0)) {
        address_.sin_family = AF_INET;
        address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        bind(descriptor_, reinterpret_cast<sockaddr *>(&address_), sizeof address_);
        socklen_t size = sizeof address_;
        getsockname(descriptor_, reinterpret_cast<sockaddr *>(&address_), &size);
        prepare_socket(descriptor_, kSocketBufferBytes);
    }
    ~TurnPlace() { ::close(descriptor_); }
    TurnPlace(const TurnPlace &) = delete;
    TurnPlace &operator=(const TurnPlace &) = delete;

    int descriptor() const { return descriptor_; }
    NiceAddress address() const {
        NiceAddress address;
        nice_address_set_from_sockaddr(&address, reinterpret_cast<const sockaddr *>(&address_));
        return address;
    }
    void send(const Bytes &datagram, const TurnPlace &to) const {
        EXPECT_EQ(sendto(descriptor_, datagram.data(), datagram.size(), 0,
                         reinterpret_cast<const sockaddr *>(&to.address_), sizeof to.address_),
                  static_cast<ssize_t>(datagram.size()));
    }
    /// The next datagram, or an empty one.
    Bytes next() const {
        Bytes datagram(2000);
        const auto size = recv(descriptor_, datagram.data(), datagram.size(), MSG_DONTWAIT);
        datagram.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
        return datagram;
    }

private:
    int descriptor_;
    sockaddr_in address_{};
};

class OwnSocketTest : public testing::Test, public IceListener {
protected:
    void take(bool relayed) {
        own_ =
            std::make_unique<OwnSocket>(loop_, *this,
                                        OwnSocket::Settings{.descriptor = near_.descriptor(),
                                                            .to = far_.address(),
                                                            .relayed = relayed,
                                                            .lent_ms = 1,
                                                            .let_agent_read = [this](bool reads) {
                                                                agent_reads_ = reads;
                                                                readers_.push_back(reads);
                                                            }});
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
    /// The server has passed on a datagram of the other side.
    void learn_channel() {
        far_.send(channel_data(kBoundChannel, Bytes{kQuicByte}), near_);
        run_until_received(1);
    }

    void on_local_candidate(std::string_view) override {}
    void on_local_candidates_done() override {}
    void on_ice_ready() override {}
    void on_ice_failed() override {}
    void on_writable() override {}
    void on_datagrams(ByteView bytes, std::size_t segment) override {
        for (; !bytes.empty(); bytes = bytes.subspan(std::min(segment, bytes.size()))) {
            const auto one = bytes.first(std::min(segment, bytes.size()));
            received_.emplace_back(one.begin(), one.end());
        }
    }

    EventLoop loop_;
    TurnPlace near_;
    /// The other computer, or the TURN server.
    TurnPlace far_;
    std::vector<Bytes> received_;
    bool agent_reads_ = true;
    /// Who reads from then on: the agent, or this side.
    std::vector<bool> readers_;
    std::unique_ptr<OwnSocket> own_;
};

} // namespace

TEST_F(OwnSocketTest, TakesQuicAndLeavesStunOfADirectRoute) {
    take(false);
    EXPECT_TRUE(own_->sends());
    const Bytes data(20, kQuicByte);
    for (const auto &datagram : {data, stun_header(test::kRefreshSuccess), data}) {
        far_.send(datagram, near_);
    }
    run_until_received(2);
    EXPECT_EQ(received_, (std::vector{data, data}));
    EXPECT_FALSE(agent_reads_);
}

TEST_F(OwnSocketTest, LetsLibniceSendUntilTheRelaysChannelIsKnown) {
    take(true);
    EXPECT_FALSE(own_->sends());
    learn_channel();
    EXPECT_TRUE(own_->sends());
}

TEST_F(OwnSocketTest, SendsChannelDataToTheRelay) {
    take(true);
    learn_channel();
    const Bytes burst(2 * 1448 + 5, kQuicByte);
    const auto sent = own_->send(burst, 1448);
    EXPECT_EQ(sent.bytes, burst.size());
    EXPECT_FALSE(sent.too_large);
    EXPECT_EQ(far_.next(), channel_data(kBoundChannel, Bytes(1448, kQuicByte)));
    EXPECT_EQ(far_.next(), channel_data(kBoundChannel, Bytes(1448, kQuicByte)));
    EXPECT_EQ(far_.next(), channel_data(kBoundChannel, Bytes(5, kQuicByte)));
    EXPECT_EQ(far_.next(), Bytes{});
}

// TURN-03
TEST_F(OwnSocketTest, TakesNothingThatTheRelayDidNotSend) {
    take(true);
    const TurnPlace stranger;
    stranger.send(channel_data(kBoundChannel + 1, Bytes{kQuicByte, 1}), near_);
    stranger.send(stun_header(test::kRefreshSuccess), near_);
    learn_channel();
    stranger.send(channel_data(kBoundChannel, Bytes{kQuicByte, 2}), near_);
    far_.send(channel_data(kBoundChannel, Bytes{kQuicByte, 3}), near_);
    run_until_received(2);
    EXPECT_EQ(received_, (std::vector<Bytes>{Bytes{kQuicByte}, Bytes{kQuicByte, 3}}));
    EXPECT_EQ(readers_, std::vector{false});
}

TEST_F(OwnSocketTest, LendsTheSocketToLibniceWhenTheRelayAnswersIt) {
    take(true);
    learn_channel();
    far_.send(stun_header(test::kRefreshSuccess), near_);
    far_.send(channel_data(kBoundChannel, Bytes{kQuicByte, 1}), near_);
    run_until([&] { return readers_.size() == 3; });
    EXPECT_EQ(readers_, (std::vector{false, true, false}));
    // What came meanwhile is not lost, and the channel is the same.
    run_until_received(2);
    EXPECT_EQ(received_.back(), (Bytes{kQuicByte, 1}));
    EXPECT_TRUE(own_->sends());
}

TEST_F(OwnSocketTest, LeavesTheSocketToLibniceWhileItIsLent) {
    take(true);
    learn_channel();
    far_.send(stun_header(test::kRefreshSuccess), near_);
    run_until([&] { return agent_reads_; });
    far_.send(channel_data(kBoundChannel, Bytes{kQuicByte, 1}), near_);
    EXPECT_EQ(near_.next(), channel_data(kBoundChannel, Bytes{kQuicByte, 1}));
    EXPECT_TRUE(own_->sends());
}

// TURN-04
TEST_F(OwnSocketTest, FindsOutAgainWhenTheRelayHasLostTheChannel) {
    take(true);
    learn_channel();
    far_.send(stun_header(test::kDataIndication), near_);
    run_until([&] { return readers_.size() == 3; });
    EXPECT_FALSE(own_->sends());
    far_.send(channel_data(kBoundChannel + 1, Bytes{kQuicByte}), near_);
    run_until_received(2);
    EXPECT_TRUE(own_->sends());
}

TEST_F(OwnSocketTest, GivesTheSocketBackAtItsEnd) {
    take(true);
    own_.reset();
    EXPECT_EQ(readers_, (std::vector{false, true}));
}

TEST_F(OwnSocketTest, EndsWhileTheSocketIsLent) {
    take(true);
    far_.send(stun_header(test::kRefreshSuccess), near_);
    run_until([&] { return agent_reads_; });
    own_.reset();
    loop_.run_once(loop_.now() + 20 * kMillisecond);
    EXPECT_EQ(readers_, (std::vector{false, true}));
}

} // namespace thru
