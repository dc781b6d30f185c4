#include "base/clock.h"

#include <chrono>

namespace thru {

Timestamp monotonic_now() {
    const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<Timestamp>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(since_start).count());
}

} // namespace thru
