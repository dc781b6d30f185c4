#include <ctime>

#include "loop/continuous_clock.h"

namespace thru {

// The same time as mach_continuous_time, in nanoseconds.
Timestamp continuous_now() { return clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW); }

} // namespace thru
