#include "loop/event_loop.h"

#include <algorithm>
#include <array>
#include <deque>
#include <set>

#include <sys/socket.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "loop/glib.h"

namespace thru {

namespace {

/// Two sockets, the first of which is watched.
class Watched {
public:
    Watched(EventLoop &loop, std::function<void()> on_ready) : loop_(loop) {
        EXPECT_EQ(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends_.data()), 0);
        loop.watch(socket(), std::move(on_ready));
    }
    ~Watched() {
        loop_.unwatch(socket());
        ::close(ends_[0]);
        ::close(ends_[1]);
    }
    Watched(const Watched &) = delete;
    Watched &operator=(const Watched &) = delete;

    int socket() const { return ends_[0]; }
    void send() const { EXPECT_EQ(::send(ends_[1], "x", 1, 0), 1); }
    void take() const {
        char taken = 0;
        EXPECT_EQ(::recv(ends_[0], &taken, 1, 0), 1);
    }

private:
    EventLoop &loop_;
    std::array<int, 2> ends_{};
};

/// Runs with few and many sockets, for which the loop waits in different ways.
struct EventLoopOf : testing::TestWithParam<int> {
    EventLoopOf() {
        for (int index = 0; index < GetParam(); ++index) {
            others.emplace_back(loop, [] { ADD_FAILURE(); });
        }
    }

    /// The time at which the loop reports a datagram, with reads delayed until `until`.
    Timestamp told_of_delayed(Timestamp until, bool writes) {
        Timestamp told = 0;
        const Watched delayed(loop, [&] { told = loop.now(); });
        loop.want_write(delayed.socket(), writes);
        delayed.send();
        loop.delay_reads(delayed.socket(), until);
        for (int turn = 0; told == 0 && turn < 1000; ++turn) {
            loop.run_once(until);
        }
        return told;
    }

    EventLoop loop;
    std::deque<Watched> others;
};

TEST_P(EventLoopOf, TellsOfNothingWhileReadsAreDelayed) {
    const auto until = loop.now() + 20 * kMillisecond;
    EXPECT_GE(told_of_delayed(until, false), until);
}

TEST_P(EventLoopOf, TellsAtOnceWhenASocketWithDelayedReadsCanBeWritten) {
    const auto until = loop.now() + 1000 * kSecond;
    const auto told = told_of_delayed(until, true);
    EXPECT_GT(told, 0U);
    EXPECT_LT(told, until);
}

TEST_P(EventLoopOf, TellsOfEachSocketThatCanBeReadUntilItIsRead) {
    std::multiset<int> told;
    Watched one(loop, [&] { told.insert(1); });
    Watched two(loop, [&] { told.insert(2); });
    one.send();
    two.send();
    loop.run_once(kNever);
    EXPECT_EQ(told, (std::multiset<int>{1, 2}));
    one.take();
    loop.run_once(kNever);
    EXPECT_EQ(told, (std::multiset<int>{1, 2, 2}));
    two.take();
    loop.run_once(loop.now());
    EXPECT_EQ(told.size(), 3U);
}

TEST_P(EventLoopOf, TellsOfOneThatCanBeWrittenAsLongAsThatIsWanted) {
    int told = 0;
    const Watched one(loop, [&] { ++told; });
    loop.run_once(loop.now());
    EXPECT_EQ(told, 0);
    loop.want_write(one.socket(), true);
    loop.run_once(kNever);
    EXPECT_EQ(told, 1);
    loop.want_write(one.socket(), false);
    loop.run_once(loop.now());
    EXPECT_EQ(told, 1);
}

TEST_P(EventLoopOf, TellsNothingOfASocketThatAnotherStoppedToWatch) {
    std::deque<Watched> two;
    int told = 0;
    for (int index = 0; index < 2; ++index) {
        two.emplace_back(loop, [&] {
            ++told;
            std::ranges::for_each(two, [&](auto &each) { loop.unwatch(each.socket()); });
        });
    }
    std::ranges::for_each(two, [](auto &each) { each.send(); });
    loop.run_once(kNever);
    EXPECT_EQ(told, 1);
}

TEST_P(EventLoopOf, RunsWhatGlibGetsBetweenTwoTurns) {
    loop.run_once(loop.now());
    bool ran = false;
    auto *source = g_timeout_source_new(0);
    g_source_set_callback(
        source,
        [](gpointer user) -> gboolean {
            *static_cast<bool *>(user) = true;
            return G_SOURCE_REMOVE;
        },
        &ran, nullptr);
    g_source_attach(source, loop.context());
    g_source_unref(source);
    for (int turn = 0; !ran && turn < 3; ++turn) {
        loop.run_once(loop.now() + 10 * kSecond);
    }
    EXPECT_TRUE(ran);
}

TEST_P(EventLoopOf, ReturnsAtOnceEachTimeItIsWoken) {
    for (int turn = 0; turn < 5; ++turn) {
        loop.wake();
        loop.run_once(kNever);
        loop.run_once(loop.now());
    }
}

INSTANTIATE_TEST_SUITE_P(Sockets, EventLoopOf, testing::Values(0, 40));

} // namespace
} // namespace thru
