// CPU seconds so far.
#pragma once

namespace thru {

/// Of the calling thread.
double thread_cpu_seconds();
/// Of all threads of this process, those that ended included.
double process_cpu_seconds();

} // namespace thru
