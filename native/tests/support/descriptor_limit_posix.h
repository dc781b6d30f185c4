// How many descriptors this process may have, for tests; it gets its limit back.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace thru::test {

class DescriptorLimit {
public:
    DescriptorLimit() { getrlimit(RLIMIT_NOFILE, &before_); }
    ~DescriptorLimit() { setrlimit(RLIMIT_NOFILE, &before_); }
    DescriptorLimit(const DescriptorLimit &) = delete;
    DescriptorLimit &operator=(const DescriptorLimit &) = delete;

    rlim_t most() const { return before_.rlim_max; }
    /// Those that are open now are all there may be.
    void forbid_more() const {
        const int lowest_free = open("/dev/null", O_RDONLY);
        ::close(lowest_free);
        const rlimit full{.rlim_cur = static_cast<rlim_t>(lowest_free),
                          .rlim_max = before_.rlim_max};
        setrlimit(RLIMIT_NOFILE, &full);
    }

private:
    rlimit before_{};
};

} // namespace thru::test
