// Data from a server to the engine's WebSocket, in arbitrary pieces, and data that ends it.
#include "net/web_socket.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/byte_reader.h"
#include "support/web_socket_server.h"

namespace thru::test {
namespace {

class WebSocketTest : public testing::Test {
protected:
    WebSocketTest()
        : socket_({.host = "server.example:443", .path = "/v1/server-relay", .ticket = "secret"}),
          request_(sent()) {}

    Bytes sent() {
        Bytes out;
        socket_.take_output(out);
        return out;
    }
    std::string header(std::string_view name) const { return web_socket_header(request_, name); }
    std::string answer(std::string_view more = {}) const {
        return web_socket_answer(request_, more);
    }
    void hear(ByteView bytes) {
        socket_.receive(bytes, [this](ByteView data) {
            empty_ += data.empty() ? 1 : 0;
            append_bytes(heard_, data);
        });
    }
    void hear(std::string_view text) { hear(as_bytes(text)); }
    void open() {
        hear(answer());
        ASSERT_TRUE(socket_.open());
    }

    WebSocket socket_;
    Bytes request_;
    Bytes heard_;
    int empty_ = 0;
};

TEST_F(WebSocketTest, AsksAsAClientDoes) {
    EXPECT_TRUE(as_text(request_).starts_with("GET /v1/server-relay HTTP/1.1\r\n"));
    EXPECT_EQ(header("Host"), "server.example:443");
    EXPECT_EQ(header("Upgrade"), "websocket");
    EXPECT_EQ(header("Sec-WebSocket-Version"), "13");
    EXPECT_EQ(header("Authorization"), "Bearer secret");
    EXPECT_EQ(header("Sec-WebSocket-Key").size(), 24U);
}

TEST_F(WebSocketTest, OpensWithTheAnswerToItsOwnKey) {
    hear(answer().substr(0, 20));
    EXPECT_FALSE(socket_.open());
    hear(answer().substr(20));
    EXPECT_TRUE(socket_.open());
}

TEST_F(WebSocketTest, TakesWhatComesBehindTheAnswer) {
    hear(answer() + std::string(as_text(web_socket_frame(0x82, "at once"))));
    EXPECT_EQ(as_text(heard_), "at once");
}

// TURN-12
TEST_F(WebSocketTest, RefusesOtherAnswers) {
    const std::vector<std::string> answers{
        "HTTP/1.1 403 Refused\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n\r\n",
        answer("Sec-WebSocket-Accept: another\r\n"),
        answer("Sec-WebSocket-Extensions: permessage-deflate\r\n"),
        answer("Sec-WebSocket-Protocol: chat\r\n"),
        std::string(17 * 1024, 'x'),
    };
    for (const auto &each : answers) {
        auto fresh = socket_;
        fresh.receive(as_bytes(each), [](ByteView) { FAIL(); });
        EXPECT_TRUE(fresh.over()) << each.substr(0, 100);
        EXPECT_FALSE(fresh.reason().empty());
    }
}

// TURN-12
TEST_F(WebSocketTest, TakesMessagesInAnyPieces) {
    Bytes all;
    append_bytes(all, as_bytes(answer()));
    const std::string large(300, 'b');
    append_bytes(all, web_socket_frame(0x02, "frag"));
    append_bytes(all, web_socket_frame(0x89, "ping in between"));
    append_bytes(all, web_socket_frame(0x00, "men"));
    append_bytes(all, web_socket_frame(0x80, "ted"));
    append_bytes(all, web_socket_frame(0x82, ""));
    append_bytes(all, web_socket_frame(0x82, large));
    for (const auto byte : all) {
        hear(ByteView{&byte, 1});
    }
    EXPECT_EQ(as_text(heard_), "fragmented" + large);
    EXPECT_EQ(empty_, 1);
    EXPECT_TRUE(socket_.open());
}

TEST_F(WebSocketTest, AnswersAPingAndBoundsItsAnswers) {
    open();
    hear(web_socket_frame(0x89, "are you there"));
    auto pong = sent();
    EXPECT_EQ(as_text(take_client_frame(pong)), "\x8a"
                                                "are you there");
    for (int count = 0; count < 10'000; ++count) {
        hear(web_socket_frame(0x89, std::string(125, 'p')));
    }
    EXPECT_LT(sent().size(), 8U * 1024);
    EXPECT_TRUE(socket_.open());
}

TEST_F(WebSocketTest, MasksWhatItSends) {
    open();
    const std::string text = "hello";
    socket_.write(as_bytes(text));
    auto frame = sent();
    EXPECT_EQ(frame[1], 0x80 | 5);
    EXPECT_NE(as_text(frame).substr(6), text);
    EXPECT_EQ(as_text(take_client_frame(frame)), "\x82" + text);
    EXPECT_TRUE(frame.empty());
}

TEST_F(WebSocketTest, MasksEachByteOfAnyNumberOfThem) {
    open();
    Bytes wanted{0x82};
    for (std::uint8_t next = 1; next <= 40; ++next) {
        wanted.push_back(next);
        socket_.write(ByteView{wanted}.subspan(1));
        auto frame = sent();
        EXPECT_EQ(take_client_frame(frame), wanted);
        EXPECT_TRUE(frame.empty());
    }
}

TEST_F(WebSocketTest, SendsNoMessageThatTheServerRefuses) {
    open();
    socket_.write(Bytes(100'000, 7));
    auto frames = sent();
    EXPECT_EQ(take_client_frame(frames).size(), 1U + 65'536);
    Bytes rest(1 + 34'464, 7);
    rest[0] = 0x82;
    EXPECT_EQ(take_client_frame(frames), rest);
    EXPECT_TRUE(frames.empty());
}

TEST_F(WebSocketTest, EndsWithTheCodeOfTheServer) {
    open();
    hear(web_socket_frame(0x88, std::string("\x0f\xa7 why", 6)));
    EXPECT_TRUE(socket_.over());
    EXPECT_EQ(socket_.close_code(), 4007);
    EXPECT_EQ(sent()[0], 0x88);
    hear(web_socket_frame(0x82, "more"));
    EXPECT_TRUE(heard_.empty());
}

// TURN-12
TEST_F(WebSocketTest, EndsWithFramesThatNoServerSends) {
    open();
    const std::vector<Bytes> frames{
        web_socket_frame(0x81, "text"),
        web_socket_frame(0xc2, "a reserved bit"),
        web_socket_frame(0x80, "goes on with nothing"),
        web_socket_frame(0x83, "an unknown kind"),
        web_socket_frame(0x8b, "an unknown control frame"),
        web_socket_frame(0x09, "a ping in parts"),
        web_socket_frame(0x89, std::string(126, 'p')),
        {0x82, 0x85, 1, 2, 3, 4, 0, 0, 0, 0, 0},
        {0x82, 127, 0, 0, 0, 1, 0, 0, 0, 0},
        {0x82, 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
    };
    for (const auto &each : frames) {
        auto fresh = socket_;
        std::size_t heard = 0;
        fresh.receive(each, [&](ByteView data) { heard += data.size(); });
        EXPECT_TRUE(fresh.over()) << int{each[0]} << ' ' << int{each[1]};
        EXPECT_EQ(heard, 0U);
    }
    auto nested = socket_;
    nested.receive(web_socket_frame(0x02, "begun"), [](ByteView) {});
    nested.receive(web_socket_frame(0x82, "another"), [](ByteView) {});
    EXPECT_TRUE(nested.over());
}

} // namespace
} // namespace thru::test
