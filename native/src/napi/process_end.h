// A bound for the end of this process: exit handlers, libraries and Node itself wait for threads
// without one, and a person for a program that is gone from the screen.
#pragma once

#include <chrono>

namespace thru {

/// Ends the process with `exit_code` when it has not ended by itself within `patience`: at once and
/// without any handler, so everything durable has to be on the disk by then. A later call replaces
/// an earlier one. Any thread; the addon has to stay loaded. Without a thread to start there is no
/// bound.
void end_process_within(std::chrono::milliseconds patience, int exit_code);

/// Ends the process now, whatever its other threads hold.
[[noreturn]] void end_process(int exit_code);

} // namespace thru
