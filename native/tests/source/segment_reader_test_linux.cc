#include <gtest/gtest.h>

#include "source/share.h"

namespace thru {
namespace {

TEST(SegmentReader, DoesNotTakeWhatTheKernelMakesUpForAnEmptyFile) {
    const test::Share share({"/proc/version"});
    ASSERT_EQ(share.manifest->size(), 1u);
    ASSERT_EQ(share.manifest->file_size(0), 0u);
    const auto content = test::read_entry(share, 0);
    ASSERT_FALSE(content);
    EXPECT_EQ(content.error().code, ErrorCode::PathUnsupported);
}

} // namespace
} // namespace thru
