#include "loop/descriptor_limit.h"

#include <sys/resource.h>

#include <gtest/gtest.h>

#include "support/descriptor_limit_posix.h"

namespace thru::test {

TEST(DescriptorLimit, IsRaisedToWhatTheSystemAllows) {
    const DescriptorLimit before;
    const rlimit low{.rlim_cur = 256, .rlim_max = before.most()};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
    raise_descriptor_limit();
    rlimit after{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &after), 0);
    EXPECT_GT(after.rlim_cur, low.rlim_cur);
#ifdef __linux__
    EXPECT_EQ(after.rlim_cur, before.most());
#endif
}

} // namespace thru::test
