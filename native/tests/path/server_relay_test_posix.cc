// A server relay at a signaling server controlled by the test, on the loopback network.
#include "path/server_relay.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/run_until.h"
#include "support/turn_messages.h"
#include "support/web_socket_server.h"

namespace thru::test {
namespace {

class ServerRelayListener final : public CarrierListener {
public:
    std::vector<Bytes> datagrams;
    int writable = 0;
    int found = 0;
    int failed = 0;

private:
    void on_carrier_changed(Carrier &carrier) override {
        ++(carrier.state() == CarrierState::Found ? found : failed);
    }
    void on_carrier_datagrams(Carrier &, ByteView bytes, std::size_t, const Address &) override {
        datagrams.emplace_back(bytes.begin(), bytes.end());
    }
    void on_carrier_writable(Carrier &) override { ++writable; }
};

class ServerRelayTest : public testing::Test {
protected:
    ServerRelayTest() {
        loop_.prepare_thread();
        address_.sin_family = AF_INET;
        address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        bind(listening_, reinterpret_cast<sockaddr *>(&address_), sizeof address_);
        listen(listening_, 1);
        socklen_t size = sizeof address_;
        getsockname(listening_, reinterpret_cast<sockaddr *>(&address_), &size);
    }
    ~ServerRelayTest() override {
        ::close(server_);
        ::close(listening_);
    }
    ServerRelayTest(const ServerRelayTest &) = delete;
    ServerRelayTest &operator=(const ServerRelayTest &) = delete;

    template <class Condition> bool run_until(Condition done) {
        return test::run_until(loop_, done);
    }
    ServerRelay &begin() {
        server_relay_ = std::make_unique<ServerRelay>(loop_, end_,
                                                      TurnServer{.host = "127.0.0.1",
                                                                 .port = ntohs(address_.sin_port),
                                                                 .user = "",
                                                                 .password = "ticket",
                                                                 .tcp = true,
                                                                 .name = "server.example",
                                                                 .path = "/v1/server-relay"});
        EXPECT_EQ(server_relay_->state(), CarrierState::Idle);
        server_relay_->begin();
        return *server_relay_;
    }
    /// Accepts the connection and reads its request.
    void accept_request() {
        server_ = accept(listening_, nullptr, nullptr);
        EXPECT_TRUE(run_until([&] {
            hear();
            return as_text(heard_).ends_with("\r\n\r\n");
        }));
        request_ = std::exchange(heard_, {});
    }
    /// Brings both sides together.
    void meet() {
        accept_request();
        say(as_bytes(web_socket_answer(request_)));
        say(web_socket_frame(0x82, ""));
        EXPECT_TRUE(run_until([&] { return end_.found == 1; }));
    }
    void hear() {
        Bytes buffer(1 << 20);
        const auto size = recv(server_, buffer.data(), buffer.size(), MSG_DONTWAIT);
        append_bytes(heard_, ByteView{buffer}.first(size > 0 ? static_cast<std::size_t>(size) : 0));
    }
    Bytes next_frame() {
        Bytes frame;
        EXPECT_TRUE(run_until([&] {
            hear();
            frame = take_client_frame(heard_);
            return !frame.empty();
        }));
        return frame;
    }
    void say(ByteView bytes) {
        EXPECT_EQ(::send(server_, bytes.data(), bytes.size(), MSG_NOSIGNAL),
                  static_cast<ssize_t>(bytes.size()));
    }
    void say_datagram(const Bytes &datagram) {
        Bytes framed;
        append_length_frames(framed, datagram, datagram.size());
        say(web_socket_frame(0x82, framed));
    }

    EventLoop loop_;
    ServerRelayListener end_;
    std::unique_ptr<ServerRelay> server_relay_;
    sockaddr_in address_{};
    int listening_ = ::socket(AF_INET, SOCK_STREAM, 0);
    int server_ = -1;
    Bytes request_;
    Bytes heard_;
};

TEST_F(ServerRelayTest, IsFoundWhenTheServerSaysThatTheOtherSideIsThere) {
    auto &server_relay = begin();
    accept_request();
    EXPECT_TRUE(as_text(request_).starts_with("GET /v1/server-relay HTTP/1.1\r\n"));
    EXPECT_EQ(test::web_socket_header(request_, "Authorization"), "Bearer ticket");
    EXPECT_TRUE(test::web_socket_header(request_, "Host").starts_with("server.example:"));
    say(as_bytes(web_socket_answer(request_)));
    EXPECT_EQ(server_relay.state(), CarrierState::Searching);
    say(web_socket_frame(0x82, ""));
    EXPECT_TRUE(run_until([&] { return server_relay.state() == CarrierState::Found; }));
    EXPECT_EQ(end_.found, 1);
    EXPECT_EQ(server_relay.route().kind, Route::Kind::Relay);
    EXPECT_TRUE(server_relay.route().server_relay);
}

TEST_F(ServerRelayTest, ABurstIsOneMessageOfDatagramsBehindTheirLengths) {
    auto &server_relay = begin();
    meet();
    const Bytes burst(13, kQuicByte);
    EXPECT_EQ(server_relay.send(burst, 5, {}).bytes, burst.size());
    Bytes wanted{0x82};
    append_length_frames(wanted, burst, 5);
    EXPECT_EQ(next_frame(), wanted);
}

TEST_F(ServerRelayTest, CarriesNothingButQuic) {
    begin();
    meet();
    say_datagram(Bytes(20, 0));
    say_datagram({});
    say_datagram(Bytes(7, kQuicByte));
    ASSERT_TRUE(run_until([&] { return !end_.datagrams.empty(); }));
    EXPECT_EQ(end_.datagrams, std::vector<Bytes>{Bytes(7, kQuicByte)});
}

TEST_F(ServerRelayTest, EndsWhereAnotherCarrierIsUsed) {
    auto &server_relay = begin();
    meet();
    server_relay.settle(false);
    EXPECT_EQ(server_relay.state(), CarrierState::Over);
    EXPECT_FALSE(server_relay.failure());
    EXPECT_TRUE(run_until([&] {
        std::uint8_t byte = 0;
        return recv(server_, &byte, 1, MSG_DONTWAIT) == 0;
    }));
}

TEST_F(ServerRelayTest, TakesDatagramsThatMessagesCut) {
    begin();
    meet();
    Bytes framed;
    append_length_frames(framed, Bytes(3000, kQuicByte), 1000);
    const ByteView all{framed};
    say(web_socket_frame(0x02, all.first(1)));
    say(web_socket_frame(0x80, all.subspan(1, 1500)));
    say(web_socket_frame(0x82, all.subspan(1501)));
    ASSERT_TRUE(run_until([&] { return end_.datagrams.size() == 3; }));
    for (const auto &each : end_.datagrams) {
        EXPECT_EQ(each, Bytes(1000, kQuicByte));
    }
}

TEST_F(ServerRelayTest, AFullOneTakesNothingAndSaysWhenItDoesAgain) {
    auto &server_relay = begin();
    meet();
    const Bytes burst(50'000, kQuicByte);
    std::size_t bursts = 0;
    while (server_relay.send(burst, 1000, {}).bytes > 0) {
        ++bursts;
    }
    EXPECT_EQ(end_.writable, 0);
    for (std::size_t count = 0; count < bursts; ++count) {
        EXPECT_EQ(next_frame().size(), 1 + burst.size() + 50 * kFrameLengthBytes);
    }
    EXPECT_TRUE(run_until([&] { return end_.writable > 0; }));
    EXPECT_GT(server_relay.send(burst, 1000, {}).bytes, 0);
}

TEST_F(ServerRelayTest, KeepsFewAnswersForAServerThatAsksAndDoesNotRead) {
    const int little = 64 * 1024;
    setsockopt(listening_, SOL_SOCKET, SO_RCVBUF, &little, sizeof little);
    auto &server_relay = begin();
    meet();
    const int at_once = 1;
    setsockopt(server_, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
    Bytes pings;
    for (int count = 0; count < 30; ++count) {
        append_bytes(pings, web_socket_frame(0x89, std::string(125, 'p')));
    }
    for (int turn = 0; turn < 1000; ++turn) {
        say(pings);
        loop_.run_once(loop_.now() + kMillisecond);
    }
    const Bytes datagram(5, kQuicByte);
    ASSERT_TRUE(run_until([&] {
        hear();
        return server_relay.send(datagram, 5, {}).bytes > 0;
    }));
    // Only data that fit into the system's buffers has arrived.
    ASSERT_LT(heard_.size(), 1U << 20);
    while (next_frame()[0] == 0x8a) {
    }
    say(web_socket_frame(0x89, "are you still there"));
    EXPECT_EQ(as_text(next_frame()), "\x8a"
                                     "are you still there");
}

TEST_F(ServerRelayTest, SaysThatTheServerCarriesNoMore) {
    auto &server_relay = begin();
    meet();
    server_relay.settle(true);
    say(web_socket_frame(0x88, std::string_view("\x0f\xa7", 2)));
    ASSERT_TRUE(run_until([&] { return end_.failed == 1; }));
    ASSERT_TRUE(server_relay.failure());
    EXPECT_EQ(server_relay.failure()->code, ErrorCode::RelayQuota);
    // A server relay that failed discards datagrams.
    EXPECT_EQ(server_relay.send(Bytes(5, kQuicByte), 5, {}).bytes, 5U);
}

TEST_F(ServerRelayTest, LeadsNowhereWhenTheServerRefusesOrGoes) {
    for (const std::string_view answer : {"HTTP/1.1 503 Refused\r\n\r\n", ""}) {
        auto &server_relay = begin();
        end_.failed = 0;
        accept_request();
        say(as_bytes(answer));
        shutdown(server_, SHUT_RDWR);
        ASSERT_TRUE(run_until([&] { return end_.failed == 1; }));
        EXPECT_EQ(server_relay.state(), CarrierState::Over);
        EXPECT_EQ(server_relay.failure()->code, ErrorCode::NoRoute);
        EXPECT_EQ(server_relay.failure()->detail.contains("503"), !answer.empty());
        ::close(std::exchange(server_, -1));
        heard_.clear();
    }
}

} // namespace
} // namespace thru::test
