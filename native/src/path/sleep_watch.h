// Notices that this program stood still: the computer slept, or it was stopped. Each wait of the
// loop says how long it may take; one that took much longer was a sleep.
#pragma once

#include "base/clock.h"

namespace thru {

/// Less is a busy computer: nobody has given up a connection by then.
inline constexpr Timestamp kLeastSleep = 4 * kSecond;

class SleepWatch {
public:
    /// Times are those of a clock that goes on during sleep. A wait of at most `planned` begins.
    void before_wait(Timestamp planned) { planned_ = planned; }
    /// The wait is over. Returns for how long the program stood still since the last one was, in
    /// nanoseconds, 0 for less than kLeastSleep.
    Timestamp after_wait(Timestamp now) {
        const auto passed = now - last_;
        const bool first = last_ == 0;
        last_ = now;
        if (first || planned_ > passed || passed - planned_ < kLeastSleep) {
            return 0;
        }
        return passed - planned_;
    }

private:
    Timestamp last_ = 0;
    Timestamp planned_ = 0;
};

} // namespace thru
