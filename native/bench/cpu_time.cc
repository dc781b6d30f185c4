#include "cpu_time.h"

#include <time.h>

namespace thru {

namespace {

double seconds_of(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

} // namespace

double thread_cpu_seconds() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

double process_cpu_seconds() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

} // namespace thru
