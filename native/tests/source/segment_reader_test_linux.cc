#include <filesystem>
#include <iterator>

#include <gtest/gtest.h>

#include "fs/disk.h"
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

std::ptrdiff_t open_files() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

TEST(SegmentReader, KeepsOneFileOpenBetweenChunksAtMost) {
    const test::TemporaryFolder folder;
    constexpr std::size_t kFiles = 200;
    for (std::size_t file = 0; file < kFiles; ++file) {
        test::write_file(folder / "set" / std::to_string(file), std::string(100, 'x'));
    }
    const test::Share share({(folder / "set").string()});
    SegmentPlan plan;
    for (std::size_t index = 1; index <= kFiles; ++index) {
        plan.push_back({index, 0, 100});
    }
    SegmentReader reader(share.files, plan);
    Bytes chunk(4'950);
    ASSERT_TRUE(reader.read(chunk));
    const auto before = open_files();
    while (!reader.finished()) {
        ASSERT_TRUE(reader.read(chunk));
        EXPECT_LE(open_files(), before + 1);
    }
}

} // namespace
} // namespace thru
