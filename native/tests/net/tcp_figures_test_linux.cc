#include "net/tcp_figures.h"

#include <gtest/gtest.h>

#include "loop/event_loop.h"
#include "net/tcp_listener.h"
#include "net/tcp_socket.h"
#include "support/run_until.h"

namespace thru {
namespace {

TEST(TcpFigures, CountsWhatWasSent) {
    EventLoop loop;
    loop.prepare_thread();
    const auto listener = TcpListener::open("127.0.0.1");
    ASSERT_TRUE(listener);
    const auto from = TcpSocket::connect("127.0.0.1", listener->port());
    ASSERT_TRUE(from);
    std::unique_ptr<TcpSocket> to;
    ASSERT_TRUE(test::run_until(loop, [&] {
        to = to ? std::move(to) : listener->accept();
        return to && from->progress() == TcpSocket::Progress::Connected;
    }));
    const auto before = tcp_figures(from->descriptor());
    ASSERT_TRUE(before);
    EXPECT_EQ(before->sent, 0U);
    EXPECT_GT(before->round_trip, 0U);
    EXPECT_LT(before->round_trip, kSecond);

    // Each write is sent at once (TCP_NODELAY), and the next one only after it has arrived.
    constexpr std::uint64_t kWrites = 10;
    Bytes into(64);
    for (std::uint64_t each = 0; each < kWrites; ++each) {
        ASSERT_EQ(from->write(Bytes(16, 1)), 16U);
        ASSERT_TRUE(test::run_until(loop, [&] { return to->read(into).value_or(0) == 16; }));
    }
    const auto after = tcp_figures(from->descriptor());
    ASSERT_TRUE(after);
    EXPECT_EQ(after->sent - after->repeated, kWrites);
}

TEST(TcpFigures, AreUnknownWithoutAConnection) { EXPECT_EQ(tcp_figures(-1), std::nullopt); }

} // namespace
} // namespace thru
