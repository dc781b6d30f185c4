#include "path/probe_socket.h"

#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "path/loopback_socket_posix.h"
#include "support/turn_messages.h"

namespace thru::test {

namespace {

class ProbeSocketTest : public testing::Test, public DatagramListener {
protected:
    ProbeSocketTest() {
        probe_ = ProbeSocket::open(
            loop_, *this, Address(*far_.address()), 1 << 20,
            [this](const sockaddr &from) { return Address(from) == Address(*far_.address()); });
    }

    /// Writes to the probe socket, whose address only its correspondents know.
    void answer(const LoopbackSocket &by, const Bytes &datagram) {
        sendto(by.descriptor(), datagram.data(), datagram.size(), 0,
               reinterpret_cast<const sockaddr *>(&own_), sizeof own_);
    }
    /// Sends a datagram, and notes its source address.
    void reach_out() {
        const Bytes data(20, kQuicByte);
        ASSERT_EQ(probe_->send(Address(*far_.address()), data, data.size()).bytes, data.size());
        ASSERT_TRUE(far_.has_come());
        socklen_t size = sizeof own_;
        Bytes room(100);
        ASSERT_EQ(recvfrom(far_.descriptor(), room.data(), room.size(), 0,
                           reinterpret_cast<sockaddr *>(&own_), &size),
                  20);
    }
    void run_until_received(std::size_t count) {
        const auto end = loop_.now() + 10 * kSecond;
        while (received_ < count && loop_.now() < end) {
            loop_.run_once(loop_.now() + kMillisecond);
        }
        EXPECT_EQ(received_, count);
    }

    void on_writable() override {}
    void on_datagrams(ByteView, std::size_t, const Address &from) override {
        ++received_;
        from_ = from;
    }

    EventLoop loop_;
    LoopbackSocket far_;
    sockaddr_in own_{};
    std::size_t received_ = 0;
    Address from_;
    std::unique_ptr<ProbeSocket> probe_;
};

} // namespace

TEST_F(ProbeSocketTest, IsHeardWhenTheOtherComputerAnswers) {
    ASSERT_TRUE(probe_);
    reach_out();
    EXPECT_FALSE(probe_->received());
    answer(far_, Bytes(20, kQuicByte));
    run_until_received(1);
    EXPECT_TRUE(probe_->received());
    EXPECT_TRUE(from_.empty());
    probe_->suspect();
    EXPECT_FALSE(probe_->received());
}

TEST_F(ProbeSocketTest, AStrangerIsToldApartAndNotHeard) {
    ASSERT_TRUE(probe_);
    reach_out();
    const LoopbackSocket stranger;
    answer(stranger, Bytes(20, std::uint8_t{1}));
    answer(stranger, Bytes(20, kQuicByte));
    run_until_received(1);
    EXPECT_FALSE(probe_->received());
    EXPECT_EQ(from_, Address(*stranger.address()));
}

} // namespace thru::test
