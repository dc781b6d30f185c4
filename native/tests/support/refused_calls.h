// A process whose system refuses some calls. Linux only.
#pragma once

namespace thru::test {

/// Refuses random bytes. Applies, like the next one, to this thread and threads that it starts
/// later. A process that isn't allowed to do this exits successfully.
void take_randomness_away();

/// Refuses new threads.
void take_threads_away();

} // namespace thru::test
