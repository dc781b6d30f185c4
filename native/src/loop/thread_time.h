// For how long a thread has worked. One file per platform.
#pragma once

#include "base/clock.h"

namespace thru {

/// Processor time that the calling thread took so far, and on Linux the time that it was ready to
/// run while others had the processors; in nanoseconds, fine enough to tell tenths of a second
/// apart. It stands still while the computer sleeps and while the program is stopped.
Timestamp thread_time();

} // namespace thru
