#include "path/candidate_sockets.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "path/loopback_socket_posix.h"
#include "support/turn_messages.h"

namespace thru::test {

namespace {

class CandidateSocketsTest : public testing::Test, public DatagramListener {
protected:
    CandidateSocketsTest()
        : others_(std::make_unique<CandidateSockets>(
              loop_, *this,
              CandidateSockets::Settings{.descriptors = {one_.descriptor(), other_.descriptor()},
                                         .is_known_peer = [this](const sockaddr &from) {
                                             return is_among(known_, from);
                                         }})) {}

    static NiceAddress address_of(const LoopbackSocket &socket) {
        NiceAddress address;
        nice_address_set_from_sockaddr(&address, socket.address());
        return address;
    }
    void run_until_received(std::size_t count) {
        constexpr Timestamp kMost = 10 * kSecond;
        const auto end = loop_.now() + kMost;
        while (received_.size() < count && loop_.now() < end) {
            loop_.run_once(loop_.now() + kMillisecond);
        }
        EXPECT_EQ(received_.size(), count);
    }

    void on_writable() override {}
    void on_datagrams(ByteView bytes, std::size_t segment, const Address &) override {
        EXPECT_EQ(bytes.size(), segment);
        received_.emplace_back(bytes.begin(), bytes.end());
    }

    EventLoop loop_;
    LoopbackSocket one_;
    LoopbackSocket other_;
    LoopbackSocket far_;
    LoopbackSocket elsewhere_;
    LoopbackSocket stranger_;
    std::vector<NiceAddress> known_{address_of(far_), address_of(elsewhere_)};
    std::vector<Bytes> received_;
    std::unique_ptr<CandidateSockets> others_;
};

} // namespace

TEST_F(CandidateSocketsTest, AnswerWhereTheOtherComputerWroteFromLast) {
    EXPECT_FALSE(others_->received());
    const Bytes data(20, kQuicByte);
    far_.send(data, one_);
    run_until_received(1);
    EXPECT_TRUE(others_->received());
    const Bytes burst(2 * 1400 + 5, kQuicByte);
    EXPECT_EQ(others_->send(burst, 1400).bytes, burst.size());
    for (const std::size_t size : {1400U, 1400U, 5U}) {
        ASSERT_TRUE(far_.has_come());
        EXPECT_EQ(far_.next().size(), size);
    }
    elsewhere_.send(data, other_);
    run_until_received(2);
    EXPECT_EQ(others_->send(data, data.size()).bytes, data.size());
    ASSERT_TRUE(elsewhere_.has_come());
    EXPECT_EQ(elsewhere_.next(), data);
}

TEST_F(CandidateSocketsTest, AreLeftOnceItWritesToThePairsSocket) {
    far_.send(Bytes(20, kQuicByte), one_);
    run_until_received(1);
    EXPECT_FALSE(others_->abandon(*stranger_.address()));
    EXPECT_TRUE(others_->received());
    EXPECT_TRUE(others_->abandon(*elsewhere_.address()));
    EXPECT_FALSE(others_->received());
}

TEST_F(CandidateSocketsTest, HearNeitherStrangersNorStun) {
    const Bytes data(20, kQuicByte);
    stranger_.send(data, one_);
    far_.send(stun_header(test::kRefreshSuccess), one_);
    far_.send(data, other_);
    // Earlier datagrams would have arrived first.
    run_until_received(1);
    EXPECT_EQ(others_->send(data, data.size()).bytes, data.size());
    EXPECT_TRUE(far_.has_come());
    EXPECT_EQ(stranger_.next(), Bytes{});
}

TEST_F(CandidateSocketsTest, HearWhoBecomesKnownAfterwards) {
    known_.push_back(address_of(stranger_));
    const Bytes data(20, kQuicByte);
    stranger_.send(data, one_);
    run_until_received(1);
    EXPECT_EQ(others_->send(data, data.size()).bytes, data.size());
    EXPECT_TRUE(stranger_.has_come());
}

} // namespace thru::test
