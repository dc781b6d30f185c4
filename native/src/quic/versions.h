#pragma once

#include <string>

namespace thru {

/// Version of the ngtcp2 that is linked in.
std::string ngtcp2_library_version();

} // namespace thru
