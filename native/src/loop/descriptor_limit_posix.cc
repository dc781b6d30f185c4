#include <algorithm>
#include <climits>

#include <sys/resource.h>

#include "loop/descriptor_limit.h"

namespace thru {

void raise_descriptor_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) {
        return;
    }
    const auto raise_to = [&](rlim_t wanted) {
        const rlimit raised{.rlim_cur = wanted, .rlim_max = limit.rlim_max};
        return wanted > limit.rlim_cur && setrlimit(RLIMIT_NOFILE, &raised) == 0;
    };
    if (raise_to(limit.rlim_max)) {
        return;
    }
#ifdef OPEN_MAX
    // macOS reports no limit but refuses values above this one.
    raise_to(std::min<rlim_t>(OPEN_MAX, limit.rlim_max));
#endif
}

} // namespace thru
