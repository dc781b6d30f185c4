#include <ctime>

#include "loop/continuous_clock.h"

namespace thru {

Timestamp continuous_now() {
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return static_cast<Timestamp>(now.tv_sec) * kSecond + static_cast<Timestamp>(now.tv_nsec);
}

} // namespace thru
