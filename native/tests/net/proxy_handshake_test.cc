#include "net/proxy_handshake.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace thru {
namespace {

using ProxySays = ProxyHandshake::Next;

RelayProxy proxy_of(RelayProxy::Kind kind, std::string user = {}) {
    return {.kind = kind,
            .host = "192.0.2.9",
            .port = 3128,
            .user = std::move(user),
            .password = "word"};
}

std::string said(ProxyHandshake &handshake) {
    return std::string(as_text(handshake.take_output()));
}

ProxySays hear(ProxyHandshake &handshake, std::string_view text) {
    return handshake.receive(as_bytes(text));
}

TEST(ProxyHandshake, HttpConnectsAndKeepsWhatComesBehindTheAnswer) {
    ProxyHandshake handshake(proxy_of(RelayProxy::Kind::Http, "dana"), "2001:db8::1", 443);
    EXPECT_EQ(said(handshake), "CONNECT [2001:db8::1]:443 HTTP/1.1\r\nHost: [2001:db8::1]:443\r\n"
                               "Proxy-Authorization: Basic ZGFuYTp3b3Jk\r\n\r\n");
    EXPECT_EQ(hear(handshake, "HTTP/1.0 200 Connection established\r\nVia: x\r\n\r"),
              ProxySays::Wait);
    EXPECT_EQ(hear(handshake, "\nmore"), ProxySays::Done);
    EXPECT_EQ(as_text(handshake.left_over()), "more");
    EXPECT_EQ(said(handshake), "");
}

TEST(ProxyHandshake, HttpThatRefusesSaysWhy) {
    ProxyHandshake handshake(proxy_of(RelayProxy::Kind::Http), "192.0.2.1", 443);
    EXPECT_EQ(said(handshake).find("Authorization"), std::string::npos);
    EXPECT_EQ(hear(handshake, "HTTP/1.1 403 Forbidden\r\n\r\n"), ProxySays::Refused);
    EXPECT_EQ(handshake.reason(), "it answered HTTP/1.1 403 Forbidden");
    ProxyHandshake endless(proxy_of(RelayProxy::Kind::Http), "192.0.2.1", 443);
    EXPECT_EQ(hear(endless, std::string(20'000, 'x')), ProxySays::Refused);
    ProxyHandshake foreign(proxy_of(RelayProxy::Kind::Http), "192.0.2.1", 443);
    EXPECT_EQ(hear(foreign, "220 mail\r\n\r\n"), ProxySays::Refused);
}

TEST(ProxyHandshake, SocksConnectsByteForByte) {
    using namespace std::string_view_literals;
    ProxyHandshake handshake(proxy_of(RelayProxy::Kind::Socks5, "dana"), "192.0.2.1", 443);
    EXPECT_EQ(said(handshake), "\x05\x02\x00\x02"sv);
    EXPECT_EQ(hear(handshake, "\x05"), ProxySays::Wait);
    EXPECT_EQ(hear(handshake, "\x02"), ProxySays::Wait);
    EXPECT_EQ(said(handshake), "\x01\x04"
                               "dana\x04"
                               "word"sv);
    EXPECT_EQ(hear(handshake, "\x01\x00"sv), ProxySays::Wait);
    EXPECT_EQ(said(handshake), "\x05\x01\x00\x01\xc0\x00\x02\x01\x01\xbb"sv);
    constexpr auto kAnswer = "\x05\x00\x00\x03\x02zz\x01\x02left"sv;
    for (const char each : kAnswer.substr(0, 8)) {
        EXPECT_EQ(hear(handshake, {&each, 1}), ProxySays::Wait);
    }
    EXPECT_EQ(hear(handshake, kAnswer.substr(8)), ProxySays::Done);
    EXPECT_EQ(as_text(handshake.left_over()), "left");
}

TEST(ProxyHandshake, SocksReachesIpv6WithoutAPassword) {
    using namespace std::string_view_literals;
    ProxyHandshake handshake(proxy_of(RelayProxy::Kind::Socks5), "2001:db8::1", 1);
    EXPECT_EQ(said(handshake), "\x05\x01\x00"sv);
    EXPECT_EQ(hear(handshake, "\x05\x00"sv), ProxySays::Wait);
    EXPECT_EQ(said(handshake), "\x05\x01\x00\x04\x20\x01\x0d\xb8"
                               "\0\0\0\0\0\0\0\0\0\0\0\x01\0\x01"sv);
}

TEST(ProxyHandshake, SocksReachesAName) {
    using namespace std::string_view_literals;
    ProxyHandshake handshake(proxy_of(RelayProxy::Kind::Socks5), "meet.example", 443);
    EXPECT_EQ(said(handshake), "\x05\x01\x00"sv);
    EXPECT_EQ(hear(handshake, "\x05\x00"sv), ProxySays::Wait);
    EXPECT_EQ(said(handshake), "\x05\x01\x00\x03\x0cmeet.example\x01\xbb"sv);
}

TEST(ProxyHandshake, SocksThatRefusesSaysWhy) {
    using namespace std::string_view_literals;
    const auto refusal = [](std::initializer_list<std::string_view> answers, const char *user) {
        ProxyHandshake handshake(proxy_of(RelayProxy::Kind::Socks5, user), "192.0.2.1", 443);
        for (const auto each : answers) {
            if (hear(handshake, each) == ProxySays::Refused) {
                return handshake.reason();
            }
        }
        return std::string{};
    };
    EXPECT_EQ(refusal({"\x04\x00"sv}, ""), "it is no SOCKS 5 proxy");
    EXPECT_EQ(refusal({"\x05\xff"sv}, ""), "it wants a user and a password");
    EXPECT_EQ(refusal({"\x05\x02"sv}, ""), "it wants a user and a password");
    EXPECT_EQ(refusal({"\x05\x02"sv, "\x01\x01"sv}, "dana"), "it refuses user and password");
    EXPECT_EQ(refusal({"\x05\x00"sv, "\x05\x02\x00\x01"sv}, ""), "it answered 2");
}

} // namespace
} // namespace thru
