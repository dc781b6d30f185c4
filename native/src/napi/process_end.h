// A time limit for this process's end: exit handlers, libraries and Node itself wait for threads
// without one, when the program has already disappeared from the screen.
#pragma once

#include <chrono>

namespace thru {

/// Ends the process with `exit_code` if it has not ended within `patience`, immediately and without
/// handlers. All durable data must be on the disk by then. A later call replaces an earlier one.
/// Any thread; the addon must stay loaded. If no thread can be started, there is no limit.
void end_process_within(std::chrono::milliseconds patience, int exit_code);

/// Ends the process immediately, whatever its other threads hold.
[[noreturn]] void end_process(int exit_code);

} // namespace thru
