// Runs an event loop until a condition holds, for tests.
#pragma once

#include <chrono>

#include "loop/event_loop.h"
#include "support/patience.h"

namespace thru::test {

/// Runs turns until `done`, which may act, returns true; returns false if that takes too long.
template <class Condition> bool run_until(EventLoop &loop, Condition done) {
    const auto end = std::chrono::steady_clock::now() + patience(std::chrono::seconds(20));
    while (!done()) {
        if (std::chrono::steady_clock::now() >= end) {
            return false;
        }
        loop.run_once(loop.now() + kMillisecond);
    }
    return true;
}

/// Runs at most `most` turns, until one of them waits for long; returns their number.
inline std::size_t turns_until_quiet(EventLoop &loop, std::size_t most) {
    constexpr Timestamp kLong = 400 * kMillisecond;
    for (std::size_t turns = 0; turns < most; ++turns) {
        const auto begin = loop.now();
        loop.run_once(begin + kLong);
        if (loop.now() - begin >= kLong) {
            return turns;
        }
    }
    return most;
}

} // namespace thru::test
