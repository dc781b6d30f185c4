#include "path/versions.h"

#include <nice/nice-version.h>

namespace thru {

std::string nice_version() {
    return std::to_string(NICE_VERSION_MAJOR) + "." + std::to_string(NICE_VERSION_MINOR) + "." +
           std::to_string(NICE_VERSION_MICRO);
}

} // namespace thru
