// Notices that this program did not run for a while: the computer slept, or the program was
// stopped. Time that is neither a wait of the loop, as long as it may take, nor work of the thread
// was a sleep.
#pragma once

#include <utility>

#include "base/clock.h"

namespace thru {

/// Less is a busy computer: nobody has given up a connection by then.
inline constexpr Timestamp kMinSleep = 4 * kSecond;

/// Used on one thread.
class SleepWatch {
public:
    /// `worked` tells for how long the thread has worked, in nanoseconds. It costs a call of the
    /// system, so it is asked ten times a second at most.
    explicit SleepWatch(Clock worked) : worked_(std::move(worked)) {}

    /// Times are those of a clock that keeps running during sleep. A wait of at most `planned`
    /// begins.
    void before_wait(Timestamp planned) { planned_ = planned; }
    /// The wait is over. Returns for how long the program stood still since the last one was, in
    /// nanoseconds, 0 for less than kMinSleep.
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
