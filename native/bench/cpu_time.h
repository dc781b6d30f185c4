#pragma once

namespace thru {

/// CPU seconds of the calling thread.
double thread_cpu_seconds();
/// CPU seconds of all threads of this process, including those that ended.
double process_cpu_seconds();

} // namespace thru
