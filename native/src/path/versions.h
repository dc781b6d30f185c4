#pragma once

#include <string>

namespace thru {

/// The version of libnice in this build.
std::string nice_version();

} // namespace thru
