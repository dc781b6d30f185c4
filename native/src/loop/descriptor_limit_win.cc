#include "loop/descriptor_limit.h"

namespace thru {

// Only memory limits the number of socket handles.
void raise_descriptor_limit() {}

} // namespace thru
