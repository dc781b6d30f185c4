#include "path/descriptor_limit.h"

#include <sys/resource.h>

#include <gtest/gtest.h>

namespace thru {

namespace {

/// The limit of this process, which it gets back.
class LimitOfTest {
public:
    LimitOfTest() { getrlimit(RLIMIT_NOFILE, &before_); }
    ~LimitOfTest() { setrlimit(RLIMIT_NOFILE, &before_); }
    LimitOfTest(const LimitOfTest &) = delete;
    LimitOfTest &operator=(const LimitOfTest &) = delete;

    rlim_t most() const { return before_.rlim_max; }

private:
    rlimit before_{};
};

} // namespace

TEST(DescriptorLimit, IsRaisedToWhatTheSystemAllows) {
    const LimitOfTest before;
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

} // namespace thru
