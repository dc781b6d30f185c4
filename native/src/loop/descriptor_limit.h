#pragma once

namespace thru {

/// Raises the limit to the maximum for this process and its children. Each receiver takes four or
/// more descriptors, so the usual 1,024 allow only about two hundred. Any thread.
void raise_descriptor_limit();

} // namespace thru
