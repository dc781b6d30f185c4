// A process whose system no longer has random bytes. Linux only.
#pragma once

namespace thru::test {

/// From here on for this thread and those that it starts. Ends a process that may not do this.
void take_randomness_away();

} // namespace thru::test
