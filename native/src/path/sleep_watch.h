// Notices that this program stood still: the computer slept, or it was stopped. Each wait of the
// loop says how long it may take, and the thread's clock how much it worked: time that is neither
// was a sleep.
#pragma once

#include <utility>

#include "base/clock.h"

namespace thru {

/// Less is a busy computer: nobody has given up a connection by then.
inline constexpr Timestamp kLeastSleep = 4 * kSecond;

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
    /// nanoseconds, 0 for less than kLeastSleep.
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
        return first || late < busy + kLeastSleep ? 0 : late - busy;
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
