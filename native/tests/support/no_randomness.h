// A process whose system has no random bytes any more. Linux only.
#pragma once

namespace thru::test {

/// From here on for this thread and those that it starts. Ends a process that may not do this.
void take_randomness_away();

} // namespace thru::test
