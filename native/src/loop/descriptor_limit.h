// The number of descriptors that this process may open.
#pragma once

namespace thru {

/// Raises the limit as far as it goes without privileges. Each receiver takes four or more
/// descriptors, so the usual 1,024 would allow only about two hundred. Any thread; child processes
/// inherit the limit.
void raise_descriptor_limit();

} // namespace thru
