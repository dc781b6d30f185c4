#include "loop/descriptor_limit.h"

namespace thru {

// Handles of sockets are limited by memory alone.
void raise_descriptor_limit() {}

} // namespace thru
