// A listener for WebTransport and clients that speak as a browser does, on the loopback network.
#include "link/web_transport.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <openssl/ssl.h>

#include "base/byte_reader.h"
#include "crypto/base64url.h"
#include "pairing/ice_candidate.h"
#include "path/candidate_line.h"
#include "quic/connection.h"
#include "support/run_until.h"

namespace thru {
namespace {

constexpr StreamId kSession = 0;
constexpr StreamId kDatagrams = 4;

struct WebCarrierListener final : CarrierListener {
    void on_carrier_changed(Carrier &carrier) override { states.push_back(carrier.state()); }
    void on_carrier_datagrams(Carrier &, ByteView bytes, std::size_t, const Address &) override {
        datagrams.emplace_back(bytes.begin(), bytes.end());
    }
    void on_carrier_writable(Carrier &) override { ++writable; }

    std::vector<CarrierState> states;
    std::vector<Bytes> datagrams;
    int writable = 0;
};

Address loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    return Address(reinterpret_cast<const sockaddr &>(address));
}

/// A browser's connection: streams for a request and for datagrams, and what the sender answered.
class TestBrowser final : private ConnectionListener, private DatagramPath {
public:
    explicit TestBrowser(EventLoop &loop, std::uint16_t port)
        : loop_(loop), socket_(UdpSocket::open("127.0.0.1", kSocketBufferBytes)),
          sender_(loopback(port)) {
        SslCtxPtr context{SSL_CTX_new(TLS_client_method())};
        constexpr std::array<std::uint8_t, 3> kH3{2, 'h', '3'};
        SSL_CTX_set_alpn_protos(context.get(), kH3.data(), kH3.size());
        connection_ = *Connection::client(std::move(context), {}, *this, loop.now());
    }

    /// Asks for a session, and shows the token on a stream of it.
    void show(ByteView token) {
        ASSERT_EQ(connection_->open_bidirectional(), kSession);
        // The content of the request doesn't matter.
        connection_->write(kSession, Bytes{0x01, 0x02, 0x00, 0x00}, false);
        ASSERT_EQ(connection_->open_bidirectional(), kDatagrams);
        Bytes head{0x40, 0x41, 0x00};
        append_bytes(head, token);
        connection_->write(kDatagrams, head, false);
    }
    void send(ByteView datagram, bool fin = false) {
        Bytes framed;
        append_length_frames(framed, datagram, datagram.size());
        connection_->write(kDatagrams, framed, fin);
    }
    void end_session() { connection_->write(kSession, ByteView{}, true); }
    void turn() {
        Bytes buffer(kReceiveBatchBytes);
        const auto take = [this](ByteView bytes, std::size_t segment, const sockaddr &) {
            connection_->on_datagrams(bytes, segment, loop_.now());
        };
        while (receive_batch(socket_->descriptor(), buffer, take)) {
        }
        connection_->on_deadline(loop_.now());
        connection_->flush(*this, loop_.now());
    }

    bool established() const { return connection_->established(); }
    bool closed() const { return connection_->closed().has_value(); }

    Bytes control;
    Bytes answer;
    Bytes stream;

private:
    void on_established() override {}
    void on_stream_data(StreamId id, ByteView bytes, bool) override {
        connection_->consume_connection(bytes.size());
        connection_->consume_stream(id, bytes.size());
        append_bytes(id == kSession ? answer : id == kDatagrams ? stream : control, bytes);
    }
    void on_stream_reset(StreamId) override {}
    void on_stream_closed(StreamId) override {}
    Sent send(ByteView bytes, std::size_t segment, const PathId &) override {
        return socket_->send(sender_, bytes, segment);
    }

    EventLoop &loop_;
    std::unique_ptr<UdpSocket> socket_;
    Address sender_;
    std::unique_ptr<Connection> connection_;
};

class WebTransportTest : public testing::Test {
protected:
    WebTransportTest() {
        loop_.prepare_thread();
        carrier_ = *WebTransport::open(loop_, listener_, {"not an address", "127.0.0.1"},
                                       kSocketBufferBytes);
        line_ = carrier_->candidates().at(0);
        port_ = static_cast<std::uint16_t>(std::stoi(std::string(candidate_field(line_, 5))));
        token_ = from_base64url(candidate_field(line_, 11)).value();
    }

    TestBrowser &call() {
        return *browsers_.emplace_back(std::make_unique<TestBrowser>(loop_, port_));
    }
    template <class Condition> bool run_until(Condition done) {
        return test::run_until(loop_, [&] {
            for (const auto &browser : browsers_) {
                browser->turn();
            }
            return done();
        });
    }
    /// A browser that showed the token and got the first, empty datagram.
    TestBrowser &proven_browser() {
        auto &browser = call();
        EXPECT_TRUE(run_until([&] { return browser.established(); }));
        browser.show(token_);
        EXPECT_TRUE(run_until([&] { return browser.stream == Bytes({0, 0}); }));
        browser.stream.clear();
        return browser;
    }

    EventLoop loop_;
    WebCarrierListener listener_;
    std::unique_ptr<WebTransport> carrier_;
    std::string line_;
    std::uint16_t port_ = 0;
    Bytes token_;
    std::vector<std::unique_ptr<TestBrowser>> browsers_;
};

TEST_F(WebTransportTest, NamesWhereItListensWithCertificateAndToken) {
    EXPECT_EQ(carrier_->candidates().size(), 1U);
    EXPECT_EQ(check_candidate(line_), CandidateCheck::Usable);
    EXPECT_EQ(candidate_field(line_, 8), "webtransport");
    EXPECT_EQ(from_base64url(candidate_field(line_, 9)).value().size(), 32U);
    EXPECT_EQ(candidate_field(line_, 10), "token");
    EXPECT_EQ(token_.size(), 32U);
    EXPECT_EQ(carrier_->state(), CarrierState::Idle);
}

TEST_F(WebTransportTest, CarriesBothWaysOnceTheBrowserShowsTheToken) {
    auto &browser = proven_browser();
    EXPECT_EQ(listener_.states, std::vector{CarrierState::Found});
    // Settings, and a response with status 200.
    EXPECT_EQ(browser.control.size(), 21U);
    EXPECT_EQ(browser.control.front(), 0x00);
    ASSERT_GT(browser.answer.size(), 4U);
    EXPECT_EQ(browser.answer.at(4), 0xd9);
    EXPECT_EQ(carrier_->route().kind, Route::Kind::Local);
    EXPECT_TRUE(carrier_->route().remote.starts_with("127.0.0.1:"));
    EXPECT_EQ(carrier_->local(), loopback(port_));

    const Bytes hello{0x40, 1, 2};
    browser.send(hello);
    ASSERT_TRUE(run_until([&] { return listener_.datagrams.size() == 1; }));
    EXPECT_EQ(listener_.datagrams.front(), hello);
    const Bytes pair{0x40, 1, 0x40};
    EXPECT_EQ(carrier_->send(pair, 2, {}).bytes, pair.size());
    EXPECT_TRUE(run_until([&] { return browser.stream == Bytes({0, 2, 0x40, 1, 0, 1, 0x40}); }));
}

TEST_F(WebTransportTest, AcceptsNoMoreThanCanSoonBeSentAndTellsWhenItCan) {
    auto &browser = proven_browser();
    const Bytes burst(64'000, 0x40);
    std::size_t sent = 0;
    while (carrier_->send(burst, 1'000, {}).bytes > 0) {
        sent += burst.size() + 64 * kFrameLengthBytes;
        ASSERT_LT(sent, 64U << 20);
    }
    ASSERT_TRUE(run_until([&] { return listener_.writable == 1; }));
    EXPECT_TRUE(run_until([&] { return browser.stream.size() == sent; }));
}

TEST_F(WebTransportTest, EndsAConnectionWithAnotherToken) {
    auto &stranger = call();
    ASSERT_TRUE(run_until([&] { return stranger.established(); }));
    auto other = token_;
    other.back() ^= 1;
    stranger.show(other);
    ASSERT_TRUE(run_until([&] { return stranger.closed(); }));
    EXPECT_TRUE(stranger.stream.empty());
    EXPECT_TRUE(listener_.states.empty());
    proven_browser();
}

TEST_F(WebTransportTest, HasRoomForEightConnectionsWithoutTheToken) {
    std::vector<TestBrowser *> strangers;
    for (int i = 0; i < 8; ++i) {
        strangers.push_back(&call());
        ASSERT_TRUE(run_until([&] { return strangers.back()->established(); }));
    }
    // Its first datagrams precede those of the others.
    TestBrowser ninth(loop_, port_);
    ninth.turn();
    auto other = token_;
    other.front() ^= 1;
    strangers.front()->show(other);
    ASSERT_TRUE(run_until([&] { return strangers.front()->closed(); }));
    ninth.turn();
    EXPECT_FALSE(ninth.established());
    proven_browser();
    EXPECT_TRUE(run_until([&] { return strangers.back()->closed(); })) << "the others end";
}

TEST_F(WebTransportTest, IsOverOnceTheBrowserEndsTheSession) {
    auto &browser = proven_browser();
    browser.end_session();
    ASSERT_TRUE(run_until([&] { return listener_.states.size() == 2; }));
    EXPECT_EQ(carrier_->state(), CarrierState::Over);
    EXPECT_EQ(carrier_->route().kind, Route::Kind::Local);
    const Bytes datagram{0x40};
    EXPECT_EQ(carrier_->send(datagram, 1, {}).bytes, 1U) << "dropped";
    EXPECT_TRUE(run_until([&] { return carrier_->candidates().empty(); })) << "listens no more";
}

TEST_F(WebTransportTest, TakesTheLastDatagramOfABrowserThatEndsTheStream) {
    auto &browser = proven_browser();
    const Bytes goodbye{0x40, 1, 2};
    browser.send(goodbye, true);
    ASSERT_TRUE(run_until([&] { return listener_.states.size() == 2; }));
    EXPECT_EQ(carrier_->state(), CarrierState::Over);
    EXPECT_EQ(listener_.datagrams, std::vector<Bytes>{goodbye});
}

/// A browser that finds no place gives up after 10 s, when strangers lose theirs.
TEST_F(WebTransportTest, EndsStrangersThatBeginNoConnection) {
    const Bytes nonsense(1200, 0xff);
    std::vector<std::unique_ptr<UdpSocket>> strangers;
    for (int each = 0; each < 8; ++each) {
        auto &socket = strangers.emplace_back(UdpSocket::open("127.0.0.1", kSocketBufferBytes));
        for (int datagram = 0; datagram < 8; ++datagram) {
            socket->send(loopback(port_), nonsense, nonsense.size());
            socket->send(loopback(port_), ByteView{}, 0);
        }
    }
    proven_browser();
}

} // namespace
} // namespace thru
