#include <ctime>

#include "loop/thread_time.h"

namespace thru {

Timestamp thread_time() {
    timespec taken{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &taken);
    return static_cast<Timestamp>(taken.tv_sec) * kSecond + static_cast<Timestamp>(taken.tv_nsec);
}

} // namespace thru
