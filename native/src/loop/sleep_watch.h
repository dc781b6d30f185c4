// Notices that this program did not run for a while because the computer slept or the program was
// stopped. Any time beyond the loop's planned waits and the thread's own work is a sleep.
#pragma once

#include <utility>

#include "base/clock.h"

namespace thru {

/// Shorter pauses happen on busy computers, and no connection is given up by then.
inline constexpr Timestamp kMinSleep = 4 * kSecond;

/// Use this on one thread.
class SleepWatch {
public:
    /// `worked` returns the thread's working time in ns, and is called at most ten times a second.
    explicit SleepWatch(Clock worked) : worked_(std::move(worked)) {}

    /// Call this before a wait of at most `planned`, by a clock that runs during sleep.
    void before_wait(Timestamp planned) { planned_ = planned; }
    /// After a wait: the nanoseconds suspended since the previous one; 0 for less than kMinSleep.
    Timestamp after_wait(Timestamp now) {
        const bool first = last_ == 0;
        const auto passed = now - std::exchange(last_, now);
        if (now - asked_at_ < kAskEvery) {
            return 0;
        }
        asked_at_ = now;
        const auto worked = worked_();
        const auto busy = worked - std::exchange(worked_before_, worked);
        const auto late = passed > planned_ ? passed - planned_ : 0;
        return first || late < busy + kMinSleep ? 0 : late - busy;
    }

private:
    static constexpr Timestamp kAskEvery = kSecond / 10;

    Clock worked_;
    Timestamp last_ = 0;
    Timestamp planned_ = 0;
    Timestamp asked_at_ = 0;
    Timestamp worked_before_ = 0;
};

} // namespace thru
