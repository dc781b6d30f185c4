// A clock that keeps running while the computer sleeps. One file per platform.
#pragma once

#include "base/clock.h"

namespace thru {

/// Nanoseconds since an arbitrary moment, including sleep, to within a second. Any thread.
Timestamp continuous_now();

} // namespace thru
