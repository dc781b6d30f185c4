#include <windows.h>

#include "loop/continuous_clock.h"

namespace thru {

// Includes sleep and hibernation, unlike QueryUnbiasedInterruptTime.
Timestamp continuous_now() { return GetTickCount64() * kMillisecond; }

} // namespace thru
