// Limits the descriptors of this process, for tests; the old limit is restored at the end.
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
    /// Allows only the descriptors that are open now.
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
