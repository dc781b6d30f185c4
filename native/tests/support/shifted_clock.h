// A system clock that can be advanced, so that no test waits for a timer.
#pragma once

#include <atomic>

#include "base/clock.h"

namespace thru {

/// Usable from any thread. Sockets, disks and libnice use the system's clock.
class ShiftedClock {
public:
    Timestamp now() const { return monotonic_now() + ahead_; }
    /// Threads that wait by this clock must be woken.
    void advance(Timestamp by) { ahead_ += by; }

private:
    std::atomic<Timestamp> ahead_ = 0;
};

} // namespace thru
