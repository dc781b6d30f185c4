// A tunnel to a relay controlled by the test, on the loopback network.
#include "path/relay/relay_tunnel.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "path/relay/loopback_relay_proxy.h"
#include "support/run_until.h"
#include "support/turn_messages.h"

namespace thru::test {
namespace {

class Hearer final : public DatagramListener {
public:
    std::vector<Bytes> datagrams;
    int writable = 0;

private:
    void on_datagrams(ByteView bytes, std::size_t, const Address &) override {
        datagrams.emplace_back(bytes.begin(), bytes.end());
    }
    void on_writable() override { ++writable; }
};

Bytes padded(Bytes frame) {
    frame.resize((frame.size() + kStreamAlignment - 1) / kStreamAlignment * kStreamAlignment);
    return frame;
}

class RelayTunnelTest : public testing::Test {
protected:
    RelayTunnelTest() {
        loop_.prepare_thread();
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        bind(listening_, reinterpret_cast<sockaddr *>(&address), sizeof address);
        listen(listening_, 1);
        socklen_t size = sizeof address;
        getsockname(listening_, reinterpret_cast<sockaddr *>(&address), &size);
        const TurnServer server{.host = "127.0.0.1",
                                .port = ntohs(address.sin_port),
                                .user = "user",
                                .password = "p",
                                .tcp = true};
        const auto place = doors_.open(server).value();
        port_ = place.port;
        libnice_ = TcpSocket::connect(place.host, place.port);
        // The first message is forwarded before the relay has answered.
        const auto hello = stun_header(kAllocate);
        EXPECT_TRUE(run_until([&] {
            if (libnice_->progress() != TcpSocket::Progress::Connected) {
                return false;
            }
            return libnice_->write(hello) == hello.size();
        }));
        fcntl(listening_, F_SETFL, O_NONBLOCK);
        EXPECT_TRUE(run_until([&] {
            relay_ = accept(listening_, nullptr, nullptr);
            return relay_ >= 0;
        }));
        EXPECT_EQ(heard_by_relay(hello.size()), hello);
    }
    ~RelayTunnelTest() override {
        ::close(relay_);
        ::close(listening_);
    }
    RelayTunnelTest(const RelayTunnelTest &) = delete;
    RelayTunnelTest &operator=(const RelayTunnelTest &) = delete;

    template <class Condition> bool run_until(Condition done) {
        return test::run_until(loop_, done);
    }
    /// Reads the next `count` bytes.
    Bytes heard_by_relay(std::size_t count) {
        Bytes heard(count);
        std::size_t got = 0;
        EXPECT_TRUE(run_until([&] {
            const auto size = recv(relay_, heard.data() + got, count - got, MSG_DONTWAIT);
            got += size > 0 ? static_cast<std::size_t>(size) : 0;
            return got == count;
        }));
        return heard;
    }
    Bytes heard_by_libnice(std::size_t count) {
        Bytes heard(count);
        std::size_t got = 0;
        EXPECT_TRUE(run_until([&] {
            got += libnice_->read(MutableByteView{heard}.subspan(got)).value_or(0);
            return got == count;
        }));
        return heard;
    }
    void say(const Bytes &bytes) {
        EXPECT_EQ(::send(relay_, bytes.data(), bytes.size(), MSG_NOSIGNAL),
                  static_cast<ssize_t>(bytes.size()));
    }

    static constexpr std::uint16_t kAllocate = 0x0003;
    EventLoop loop_;
    LoopbackRelayProxy doors_{loop_};
    Hearer hearer_;
    std::unique_ptr<TcpSocket> libnice_;
    int listening_ = ::socket(AF_INET, SOCK_STREAM, 0);
    int relay_ = -1;
    std::uint16_t port_ = 0;
};

TEST_F(RelayTunnelTest, UntilItIsTakenLibniceGetsEverything) {
    const auto data = padded(channel_data(kFirstTurnChannel, Bytes(5, kQuicByte)));
    say(data);
    EXPECT_EQ(heard_by_libnice(data.size()), data);
    EXPECT_EQ(doors_.carrier(), nullptr);
}

TEST_F(RelayTunnelTest, OfTheChannelOnlyQuicPassesLibniceBy) {
    doors_.take(port_, hearer_);
    EXPECT_EQ(doors_.carrier(), nullptr);
    const auto check = channel_data(kFirstTurnChannel, stun_header(test::kBindingIndication));
    const auto answer = stun_header(test::kRefreshSuccess);
    say(padded(channel_data(kFirstTurnChannel, Bytes(5, kQuicByte))));
    say(check);
    say(answer);
    EXPECT_EQ(heard_by_libnice(check.size()), check);
    EXPECT_EQ(heard_by_libnice(answer.size()), answer);
    EXPECT_EQ(hearer_.datagrams, std::vector<Bytes>{Bytes(5, kQuicByte)});
    ASSERT_NE(doors_.carrier(), nullptr);
    doors_.release();
    EXPECT_EQ(doors_.carrier(), nullptr);
}

TEST_F(RelayTunnelTest, ABurstIsOneRunOfPaddedMessages) {
    doors_.take(port_, hearer_);
    say(padded(channel_data(kFirstTurnChannel, Bytes(1, kQuicByte))));
    ASSERT_TRUE(run_until([&] { return doors_.carrier() != nullptr; }));
    const Bytes burst(13, kQuicByte);
    EXPECT_EQ(doors_.carrier()->send(burst, 5).bytes, burst.size());
    Bytes wanted;
    for (const std::size_t size : {5, 5, 3}) {
        const auto one = padded(channel_data(kFirstTurnChannel, Bytes(size, kQuicByte)));
        wanted.insert(wanted.end(), one.begin(), one.end());
    }
    EXPECT_EQ(heard_by_relay(wanted.size()), wanted);
}

TEST_F(RelayTunnelTest, AFullStreamTakesNothingAndSaysWhenItDoesAgain) {
    doors_.take(port_, hearer_);
    say(padded(channel_data(kFirstTurnChannel, Bytes(1, kQuicByte))));
    ASSERT_TRUE(run_until([&] { return doors_.carrier() != nullptr; }));
    const Bytes burst(50'000, kQuicByte);
    constexpr std::size_t kSegment = 1000;
    std::size_t bursts = 0;
    while (doors_.carrier()->send(burst, kSegment).bytes > 0) {
        ++bursts;
    }
    EXPECT_EQ(hearer_.writable, 0);
    const auto frame_bytes = kChannelHeaderBytes + kSegment;
    const auto heard = heard_by_relay(bursts * burst.size() / kSegment * frame_bytes);
    EXPECT_EQ(parse_channel_data(ByteView{heard}.last(frame_bytes))->data.size(), kSegment);
    EXPECT_TRUE(run_until([&] { return hearer_.writable > 0; }));
    EXPECT_GT(doors_.carrier()->send(burst, kSegment).bytes, 0);
}

TEST_F(RelayTunnelTest, LibniceHearsThatARelayIsGoneWhichNeverAnswered) {
    shutdown(relay_, SHUT_RDWR);
    std::array<std::uint8_t, 16> buffer{};
    EXPECT_TRUE(run_until([&] { return !libnice_->read(buffer); }));
}

/// libnice would abort the process if it had two nominated pairs.
TEST_F(RelayTunnelTest, LibniceKeepsItsConnectionToARelayThatAnsweredAndIsGone) {
    doors_.take(port_, hearer_);
    say(padded(channel_data(kFirstTurnChannel, Bytes(1, kQuicByte))));
    ASSERT_TRUE(run_until([&] { return doors_.carrier() != nullptr; }));
    shutdown(relay_, SHUT_RDWR);
    ASSERT_TRUE(run_until([&] { return doors_.carrier() == nullptr; }));
    const auto request = test::allocate_request("user");
    ASSERT_EQ(libnice_->write(request).value(), request.size());
    // More than the system buffers between them.
    const auto message = padded(channel_data(kFirstTurnChannel, Bytes(60'000, 1)));
    std::size_t taken = 0;
    ByteView left = message;
    EXPECT_TRUE(run_until([&] {
        const auto now = libnice_->write(left).value();
        taken += now;
        left = now < left.size() ? left.subspan(now) : ByteView{message};
        return taken > std::size_t{16} << 20;
    }));
    std::array<std::uint8_t, 16> buffer{};
    const auto heard = libnice_->read(buffer);
    ASSERT_TRUE(heard);
    EXPECT_EQ(*heard, 0U);
}

TEST_F(RelayTunnelTest, ARelayThatReadsNothingHoldsLibniceUp) {
    constexpr std::size_t kMost = 64 << 20;
    constexpr int kTurns = 200;
    Bytes said = test::allocate_request("user");
    append_bytes(said, padded(channel_data(kFirstTurnChannel, Bytes(60'000, 1))));
    const auto repeated = ByteView{said}.subspan(test::allocate_request("user").size());
    std::size_t taken = 0;
    ByteView left = said;
    for (int idle = 0; idle < kTurns && taken < kMost; ++idle) {
        if (const auto now = libnice_->write(left).value(); now > 0) {
            taken += now;
            left = now < left.size() ? left.subspan(now) : repeated;
            idle = 0;
        }
        loop_.run_once(loop_.now());
    }
    EXPECT_LT(taken, kMost);
    // Once the relay reads again, everything arrives. The system may have accepted only part of the
    // last message, and a part is not forwarded.
    const auto whole = taken + left.size();
    Bytes heard(whole);
    std::size_t got = 0;
    EXPECT_TRUE(run_until([&] {
        left = left.subspan(libnice_->write(left).value());
        const auto size = recv(relay_, heard.data() + got, whole - got, MSG_DONTWAIT);
        got += size > 0 ? static_cast<std::size_t>(size) : 0;
        return got == whole;
    }));
}

TEST_F(RelayTunnelTest, AStrangerWithoutTheUsersNameSaysNothingMore) {
    EXPECT_TRUE(libnice_->write(test::allocate_request("eves")));
    std::array<std::uint8_t, 16> buffer{};
    EXPECT_TRUE(run_until([&] { return !libnice_->read(buffer); }));
    EXPECT_TRUE(run_until([&] { return recv(relay_, buffer.data(), buffer.size(), 0) == 0; }));
}

} // namespace
} // namespace thru::test
