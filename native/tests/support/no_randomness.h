// A process whose system no longer has random bytes. Linux only.
#pragma once

namespace thru::test {

/// Applies to this thread and those that it starts from now on. Ends a process that may not do
/// this.
void take_randomness_away();

} // namespace thru::test
