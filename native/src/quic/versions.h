#pragma once

#include <string>

namespace thru {

std::string ngtcp2_library_version();

} // namespace thru
