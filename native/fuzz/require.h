// Stops a fuzzer if something impossible happens.
#pragma once

#include <cstdlib>

namespace thru::fuzz {

inline void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

} // namespace thru::fuzz
