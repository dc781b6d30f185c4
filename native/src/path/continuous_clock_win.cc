#include <windows.h>

#include "path/continuous_clock.h"

namespace thru {

// Includes sleep and hibernation, unlike QueryUnbiasedInterruptTime.
Timestamp continuous_now() { return GetTickCount64() * kMillisecond; }

} // namespace thru
