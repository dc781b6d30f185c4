#include <windows.h>

#include "loop/thread_time.h"

namespace thru {

namespace {

/// FILETIME counts in units of 100 ns.
Timestamp nanoseconds(const FILETIME &time) {
    return (static_cast<Timestamp>(time.dwHighDateTime) << 32 | time.dwLowDateTime) * 100;
}

} // namespace

Timestamp thread_time() {
    FILETIME created{};
    FILETIME exited{};
    FILETIME kernel{};
    FILETIME user{};
    GetThreadTimes(GetCurrentThread(), &created, &exited, &kernel, &user);
    return nanoseconds(kernel) + nanoseconds(user);
}

} // namespace thru
