// The session of a browser on a path with a long round trip, in virtual time.
#include "link/web_transport_session.h"

#include <algorithm>
#include <array>
#include <deque>
#include <memory>

#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include "base/byte_reader.h"

namespace thru {
namespace {

constexpr Timestamp kOneWay = 50 * kMillisecond;
constexpr Digest kToken{7};

/// One direction of the path. It loses and delays nothing else.
class DelayedPath final : public DatagramPath {
public:
    explicit DelayedPath(const Timestamp &now) : now_(now) {}

    Sent send(ByteView bytes, std::size_t segment_bytes, const PathId &) override {
        flying_.push_back({now_ + kOneWay, Bytes(bytes.begin(), bytes.end()), segment_bytes});
        return {.bytes = bytes.size()};
    }
    Timestamp next_arrival() const { return flying_.empty() ? kNever : flying_.front().at; }
    template <class Take> void deliver(Take take) {
        while (next_arrival() <= now_) {
            take(flying_.front().bytes, flying_.front().segment_bytes);
            flying_.pop_front();
        }
    }

private:
    struct Burst {
        Timestamp at = 0;
        Bytes bytes;
        std::size_t segment_bytes = 0;
    };
    const Timestamp &now_;
    std::deque<Burst> flying_;
};

class WebTransportSessionTest : public testing::Test,
                                private ConnectionListener,
                                private WebTransportSession::Owner {
protected:
    WebTransportSessionTest() {
        SslCtxPtr context{SSL_CTX_new(TLS_client_method())};
        constexpr std::array<std::uint8_t, 3> kH3{2, 'h', '3'};
        SSL_CTX_set_alpn_protos(context.get(), kH3.data(), kH3.size());
        browser_ = *Connection::client(std::move(context), {}, *this, now_);
    }

    /// Runs until `done`, or until `end` has come. Returns true if done.
    template <class Done> bool run_until(Done done, Timestamp end) {
        while (!done()) {
            browser_->on_deadline(now_);
            while (browser_->flush(to_sender_, now_) == FlushOutcome::More) {
            }
            while (session_.service(to_browser_, now_) == FlushOutcome::More) {
            }
            const auto next = std::min({to_sender_.next_arrival(), to_browser_.next_arrival(),
                                        browser_->deadline(), session_.deadline()});
            if (next >= end) {
                return false;
            }
            now_ = std::max(now_, next);
            to_sender_.deliver([this](ByteView bytes, std::size_t segment_bytes) {
                session_.on_datagrams(bytes, segment_bytes, {}, now_);
            });
            to_browser_.deliver([this](ByteView bytes, std::size_t segment_bytes) {
                browser_->on_datagrams(bytes, segment_bytes, now_);
            });
        }
        return true;
    }

    Timestamp now_ = kSecond;
    DelayedPath to_sender_{now_};
    DelayedPath to_browser_{now_};
    std::unique_ptr<Connection> browser_;
    Identity identity_ = *Identity::create_for_browsers();
    WebTransportSession session_{
        *identity_.browser_context(), {.for_browser = true}, kToken, *this};
    std::size_t received_ = 0;

private:
    void on_established() override {}
    void on_stream_data(StreamId id, ByteView bytes, bool) override {
        browser_->consume_connection(bytes.size());
        browser_->consume_stream(id, bytes.size());
    }
    void on_stream_reset(StreamId) override {}
    void on_stream_closed(StreamId) override {}
    void on_proven(WebTransportSession &) override {}
    void on_stream_bytes(ByteView bytes) override { received_ += bytes.size(); }
};

TEST_F(WebTransportSessionTest, LetsAProvenBrowserSendMoreThanTheInitialWindowInARoundTrip) {
    ASSERT_TRUE(run_until([&] { return browser_->established(); }, 10 * kSecond));
    const auto request = *browser_->open_bidirectional();
    browser_->write(request, Bytes{0x01, 0x02, 0x00, 0x00}, false);
    const auto stream = *browser_->open_bidirectional();
    Bytes head{0x40, 0x41, 0x00};
    append_bytes(head, kToken);
    browser_->write(stream, head, false);
    ASSERT_TRUE(run_until([&] { return session_.proven(); }, 10 * kSecond));
    // The initial window of 256 KiB would take 64 round trips.
    const std::size_t size = 16U << 20;
    browser_->write(stream, Bytes(size), false);
    EXPECT_TRUE(run_until([&] { return received_ == size; }, now_ + 30 * 2 * kOneWay));
}

} // namespace
} // namespace thru
