// Relays over TCP, with and without a proxy, on the interfaces of this computer.
#include "path/relay/loopback_relay_proxy.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "path/ice_path.h"
#include "support/descriptor_limit_posix.h"
#include "support/patience.h"
#include "support/run_until.h"
#include "support/turn_messages.h"

namespace thru {
namespace {

/// A listener of the loopback network.
class Listener {
public:
    Listener() : listening_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        bind(listening_, reinterpret_cast<sockaddr *>(&address), sizeof address);
        listen(listening_, 8);
        fcntl(listening_, F_SETFL, O_NONBLOCK);
        socklen_t size = sizeof address;
        getsockname(listening_, reinterpret_cast<sockaddr *>(&address), &size);
        port_ = ntohs(address.sin_port);
    }
    ~Listener() {
        ::close(listening_);
        for (const int each : accepted_) {
            ::close(each);
        }
    }
    Listener(const Listener &) = delete;
    Listener &operator=(const Listener &) = delete;

    std::uint16_t port() const { return port_; }

    /// Data received so far on all connections.
    std::string_view heard() {
        is_connected();
        for (const int each : accepted_) {
            std::array<char, 1024> text{};
            const auto size = recv(each, text.data(), text.size(), MSG_DONTWAIT);
            heard_.append(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
        }
        return heard_;
    }
    void say(std::string_view text) {
        for (const int each : accepted_) {
            send(each, text.data(), text.size(), MSG_NOSIGNAL);
        }
    }
    void hang_up() {
        for (const int each : accepted_) {
            ::close(each);
        }
        accepted_.clear();
    }
    bool is_connected() {
        for (int next = 0; (next = accept(listening_, nullptr, nullptr)) >= 0;) {
            accepted_.push_back(next);
        }
        return !accepted_.empty();
    }

private:
    int listening_;
    std::vector<int> accepted_;
    std::uint16_t port_ = 0;
    std::string heard_;
};

class SilentAgent final : public IceListener {
public:
    SilentAgent(EventLoop &loop, const std::vector<TurnServer> &turn)
        : path_(IcePath::create(loop, {.stun = {}, .turn = turn, .relay_use = RelayUse::Only}, true,
                                *this)
                    .value()) {
        EXPECT_TRUE(path_->gather());
    }
    IcePath &path() { return *path_; }

private:
    void on_local_candidate(std::string_view) override {}
    void on_local_candidates_done() override {}
    void on_ice_ready() override {}
    void on_ice_failed() override {}
    void on_datagrams(ByteView, std::size_t, const Address &) override {}
    void on_writable() override {}

    std::unique_ptr<IcePath> path_;
};

template <class Condition> bool run_while(EventLoop &loop, Condition goes_on) {
    const auto end = std::chrono::steady_clock::now() + test::patience(std::chrono::seconds(20));
    while (goes_on() && std::chrono::steady_clock::now() < end) {
        loop.run_once(loop.now() + 10 * kMillisecond);
    }
    return !goes_on();
}

TurnServer relay_behind(std::uint16_t port, RelayProxy::Kind kind, std::string relay) {
    return {
        .host = std::move(relay),
        .port = 3478,
        .user = "u",
        .password = "p",
        .tcp = true,
        .proxy = RelayProxy{
            .kind = kind, .host = "127.0.0.1", .port = port, .user = "dana", .password = "word"}};
}

constexpr auto kHttp = RelayProxy::Kind::Http;
constexpr auto kSocks5 = RelayProxy::Kind::Socks5;

TEST(LoopbackRelayProxy, ARelayOverTcpIsAskedForAtItsProxy) {
    EventLoop loop;
    loop.prepare_thread();
    Listener http;
    Listener socks;
    {
        const SilentAgent agent(loop, {relay_behind(http.port(), kHttp, "192.0.2.1"),
                                       relay_behind(socks.port(), kSocks5, "192.0.2.2")});
        constexpr std::string_view kGreeting("\x05\x02\x00\x02", 4);
        EXPECT_TRUE(run_while(loop, [&] {
            return http.heard().find("\r\n\r\n") == std::string_view::npos ||
                   !socks.heard().starts_with(kGreeting);
        }));
        EXPECT_TRUE(http.heard().starts_with("CONNECT 192.0.2.1:3478 HTTP/1."));
        EXPECT_NE(http.heard().find("Proxy-Authorization: Basic ZGFuYTp3b3Jk\r\n"),
                  std::string_view::npos);
    }
    EXPECT_TRUE(run_while(loop, [&] { return loop.has_pending(); }));
}

TEST(LoopbackRelayProxy, AProxyThatNoWayLeadsToIsNotGoneAround) {
    EventLoop loop;
    loop.prepare_thread();
    Listener relay;
    Listener open_relay;
    {
        auto server = relay_behind(1, kHttp, "127.0.0.1");
        server.port = relay.port();
        // TCP can't reach a multicast address.
        server.proxy->host = "224.0.0.1";
        auto straight = relay_behind(1, kHttp, "127.0.0.1");
        straight.port = open_relay.port();
        straight.proxy.reset();
        SilentAgent agent(loop, {server, straight});
        EXPECT_TRUE(run_while(loop, [&] { return !agent.path().carriers().failure(); }));
        EXPECT_TRUE(run_while(loop, [&] { return open_relay.heard().empty(); }));
        EXPECT_FALSE(relay.is_connected());
    }
    EXPECT_TRUE(run_while(loop, [&] { return loop.has_pending(); }));
}

TEST(LoopbackRelayProxy, AnnounceNobodyAgainAndAgainWhomNoDescriptorIsLeftFor) {
    EventLoop loop;
    loop.prepare_thread();
    LoopbackRelayProxy proxy(loop);
    const auto place = proxy.open(relay_behind(1, kHttp, "127.0.0.1"));
    ASSERT_TRUE(place);
    const int caller = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(place->port);
    ASSERT_EQ(connect(caller, reinterpret_cast<sockaddr *>(&address), sizeof address), 0);
    {
        const test::DescriptorLimit limit;
        limit.forbid_more();
        EXPECT_LT(test::turns_until_quiet(loop, 100), 100U);
    }
    ::close(caller);
}

/// The beginning of an Allocate request.
constexpr std::string_view kAllocate("\x00\x03", 2);
const Bytes kFirstMessage = test::stun_header(0x0003);

/// A server for the relay, reached without a proxy.
TurnServer server_of(const Listener &relay) {
    auto server = relay_behind(1, kHttp, "127.0.0.1");
    server.proxy.reset();
    server.port = relay.port();
    return server;
}

/// Returns false while the socket can't write yet.
bool says(TcpSocket &socket, ByteView bytes) {
    return socket.progress() == TcpSocket::Progress::Connected &&
           socket.write(bytes) == bytes.size();
}

TEST(LoopbackRelayProxy, WhatLibniceSaysReachesTheRelayAsItIs) {
    EventLoop loop;
    loop.prepare_thread();
    Listener relay;
    {
        const SilentAgent agent(loop, {server_of(relay)});
        EXPECT_TRUE(run_while(loop, [&] { return relay.heard().size() < 20; }));
        EXPECT_TRUE(relay.heard().starts_with(kAllocate));
    }
    EXPECT_TRUE(run_while(loop, [&] { return loop.has_pending(); }));
}

TEST(LoopbackRelayProxy, ARelayThatIsNoneEndsItsTunnelOnly) {
    EventLoop loop;
    loop.prepare_thread();
    LoopbackRelayProxy proxy(loop);
    Listener relay;
    const auto place = proxy.open(server_of(relay));
    ASSERT_TRUE(place);
    EXPECT_EQ(place->host, "127.0.0.1");
    EXPECT_EQ(proxy.server_at(place->port)->port, relay.port());
    EXPECT_EQ(proxy.server_at(0), nullptr);
    const auto libnice = TcpSocket::connect(place->host, place->port);
    ASSERT_TRUE(libnice);
    EXPECT_TRUE(run_while(loop, [&] { return !says(*libnice, kFirstMessage); }));
    std::array<std::uint8_t, 64> buffer{};
    EXPECT_TRUE(run_while(loop, [&] { return !relay.is_connected(); }));
    relay.say("HTTP/1.1 400 Bad Request\r\n\r\n");
    // These bytes may begin a longer TURN message, so only the end of the stream ends it.
    relay.hang_up();
    EXPECT_TRUE(run_while(loop, [&] { return libnice->read(buffer).has_value(); }));
    EXPECT_EQ(proxy.carrier(), nullptr);
}

TEST(LoopbackRelayProxy, OnlyARequestForAnAddressGetsToTheRelay) {
    EventLoop loop;
    loop.prepare_thread();
    LoopbackRelayProxy proxy(loop);
    Listener relay;
    const auto place = proxy.open(server_of(relay));
    ASSERT_TRUE(place);
    const auto browser = TcpSocket::connect(place->host, place->port);
    constexpr std::string_view kRequest = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    EXPECT_TRUE(run_while(loop, [&] { return !says(*browser, as_bytes(kRequest)); }));
    // A message of TURN with the length "T " would be longer.
    const Bytes rest(1 << 15, 'x');
    EXPECT_TRUE(run_while(loop, [&] { return browser->write(rest).has_value(); }));
    EXPECT_FALSE(relay.is_connected());
}

TEST(LoopbackRelayProxy, SilentConnectionsMakeRoomForLibnice) {
    EventLoop loop;
    loop.prepare_thread();
    LoopbackRelayProxy proxy(loop);
    Listener relay;
    const auto place = proxy.open(server_of(relay));
    ASSERT_TRUE(place);
    std::vector<std::unique_ptr<TcpSocket>> strangers;
    for (int number = 0; number < 40; ++number) {
        strangers.push_back(TcpSocket::connect(place->host, place->port));
        EXPECT_TRUE(run_while(
            loop, [&] { return strangers.back()->progress() == TcpSocket::Progress::Pending; }));
    }
    const auto libnice = TcpSocket::connect(place->host, place->port);
    EXPECT_TRUE(run_while(loop, [&] { return !says(*libnice, kFirstMessage); }));
    EXPECT_TRUE(run_while(loop, [&] { return relay.heard().size() < kFirstMessage.size(); }));
}

} // namespace
} // namespace thru
