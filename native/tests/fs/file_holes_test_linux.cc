#include <gtest/gtest.h>

#include "fs/disk.h"
#include "fs/file_system.h"
#include "support/sizes.h"

namespace thru::test {
namespace {

TEST(FileHoles, TakeNoSpaceAndSeparateRunsOfData) {
    const test::TemporaryFolder folder;
    const auto root = fs::open_folder(folder.path().string()).value();
    const auto file = fs::create_file(root, "file", fs::kPlainMode).value();
    const std::string block(kMiB, 'x');
    ASSERT_TRUE(fs::set_size(file, 8 * kMiB));
    EXPECT_LT(fs::status_of(file)->allocated, kMiB);
    ASSERT_TRUE(fs::write_at(file, 2 * kMiB, as_bytes(block)));
    ASSERT_TRUE(fs::write_at(file, 5 * kMiB, as_bytes(block)));
    const auto run_at = [&](std::uint64_t offset) {
        const auto run = fs::next_data(file, offset).value();
        return std::pair(run.begin, run.end);
    };
    EXPECT_EQ(run_at(0), std::pair(2 * kMiB, 3 * kMiB));
    EXPECT_EQ(run_at(2 * kMiB + 7), std::pair(2 * kMiB + 7, 3 * kMiB));
    EXPECT_EQ(run_at(3 * kMiB), std::pair(5 * kMiB, 6 * kMiB));
    EXPECT_EQ(run_at(6 * kMiB), std::pair(8 * kMiB, 8 * kMiB));
    EXPECT_EQ(run_at(8 * kMiB), std::pair(8 * kMiB, 8 * kMiB));
    EXPECT_EQ(run_at(9 * kMiB), std::pair(8 * kMiB, 8 * kMiB));
}

} // namespace
} // namespace thru::test
