#pragma once

#include <string>

namespace thru {

/// Version of the linked ngtcp2.
std::string ngtcp2_library_version();

} // namespace thru
