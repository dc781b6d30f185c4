// A process whose system no longer gives something. Linux only.
#pragma once

namespace thru::test {

/// No random bytes. Applies, like the next one, to this thread and those that it starts from now
/// on, and ends a process that may not do this with success.
void take_randomness_away();

/// No more threads.
void take_threads_away();

} // namespace thru::test
