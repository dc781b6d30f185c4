#pragma once

#include <string>

namespace thru {

std::string nice_version();

} // namespace thru
