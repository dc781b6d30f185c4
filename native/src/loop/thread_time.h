// The working time of a thread. One file per platform.
#pragma once

#include "base/clock.h"

namespace thru {

/// Processor time of the calling thread; on Linux also the time it was ready to run but waited for
/// a processor. In nanoseconds, precise enough to distinguish tenths of a second. Stands still
/// while the computer sleeps or the program is stopped.
Timestamp thread_time();

} // namespace thru
