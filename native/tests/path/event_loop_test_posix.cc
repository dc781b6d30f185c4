#include "path/event_loop.h"

#include <array>

#include <sys/socket.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace thru {

namespace {

/// When the loop tells of a datagram that came to a socket whose reads are delayed until `until`.
Timestamp told_of_delayed(EventLoop &loop, Timestamp until, bool writes) {
    std::array<int, 2> ends{};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends.data()), 0);
    const auto [delayed, other] = ends;
    Timestamp told = 0;
    loop.watch(delayed, [&] { told = loop.now(); }, [writes] { return writes; });
    EXPECT_EQ(::send(other, "x", 1, 0), 1);
    loop.delay_reads(delayed, until);
    for (int turn = 0; told == 0 && turn < 1000; ++turn) {
        loop.run_once(until);
    }
    loop.unwatch(delayed);
    ::close(delayed);
    ::close(other);
    return told;
}

} // namespace

TEST(EventLoop, TellsOfNothingWhileReadsAreDelayed) {
    EventLoop loop;
    const auto until = loop.now() + 20 * kMillisecond;
    EXPECT_GE(told_of_delayed(loop, until, false), until);
}

TEST(EventLoop, TellsAtOnceWhenASocketWithDelayedReadsCanBeWritten) {
    EventLoop loop;
    const auto until = loop.now() + 1000 * kSecond;
    const auto told = told_of_delayed(loop, until, true);
    EXPECT_GT(told, 0U);
    EXPECT_LT(told, until);
}

} // namespace thru
