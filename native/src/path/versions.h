#pragma once

#include <string>

namespace thru {

/// Version of the libnice that this was built with.
std::string nice_version();

} // namespace thru
