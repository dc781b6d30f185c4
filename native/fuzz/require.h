// Stops a fuzzer at what must never happen.
#pragma once

#include <cstdlib>

namespace thru::fuzz {

inline void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

} // namespace thru::fuzz
