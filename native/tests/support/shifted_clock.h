// A clock that runs like the system's and can be put forward, so that no test waits for a timer.
#pragma once

#include <atomic>

#include "base/clock.h"

namespace thru {

/// Any thread. Sockets, disks and libnice use the system's clock.
class ShiftedClock {
public:
    Timestamp now() const { return monotonic_now() + ahead_; }
    /// Threads that wait by this clock have to be woken.
    void advance(Timestamp by) { ahead_ += by; }

private:
    std::atomic<Timestamp> ahead_ = 0;
};

} // namespace thru
