// For how long a thread has worked. One file per kind of platform.
#pragma once

#include "base/clock.h"

namespace thru {

/// Processor time that the calling thread took so far, in nanoseconds; fine enough to tell tenths
/// of a second apart.
Timestamp thread_time();

} // namespace thru
