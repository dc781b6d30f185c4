#include "fs/file_system_posix.h"

#include <cstdlib>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "fs/disk.h"

namespace thru::test {
namespace {

using OpenBeneath = fs::SystemResult<fs::FileHandle> (*)(const fs::FileHandle &, std::string_view);
using RenameNew = fs::SystemResult<> (*)(const fs::FileHandle &, const std::string &,
                                         const std::string &);

/// Run with the system's call and with its fallback.
class OpenBeneathTest : public testing::TestWithParam<OpenBeneath> {};
class RenameNewTest : public testing::TestWithParam<RenameNew> {};

TEST_P(OpenBeneathTest, GoesIntoFolders) {
    const TemporaryFolder folder;
    write_file(folder / "a/b/c/file", "x");
    const auto root = fs::open_folder(folder.path().string());
    ASSERT_TRUE(root);
    for (const char *path : {"a", "a/b", "a/b/c"}) {
        const auto opened = GetParam()(*root, path);
        ASSERT_TRUE(opened);
        EXPECT_EQ(fs::status_of(*opened)->id, fs::status_of((folder / path).string())->id);
    }
}

TEST_P(OpenBeneathTest, FollowsNoLinkAnywhere) {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder / "outside/below");
    std::filesystem::create_directories(folder / "root/real/below");
    std::filesystem::create_directory_symlink("../outside", folder / "root/out");
    std::filesystem::create_directory_symlink("real", folder / "root/in");
    std::filesystem::create_directory_symlink("below", folder / "root/real/last");
    const auto root = fs::open_folder((folder / "root").string());
    for (const char *path : {"out", "out/below", "in", "in/below", "real/last"}) {
        const auto opened = GetParam()(*root, path);
        ASSERT_FALSE(opened) << path;
        EXPECT_EQ(opened.error().kind, fs::ErrorKind::Link) << path;
    }
}

TEST_P(OpenBeneathTest, SaysWhatIsInTheWay) {
    const TemporaryFolder folder;
    write_file(folder / "file", "x");
    const auto root = fs::open_folder(folder.path().string());
    EXPECT_EQ(GetParam()(*root, "file").error().kind, fs::ErrorKind::NotFolder);
    EXPECT_EQ(GetParam()(*root, "file/below").error().kind, fs::ErrorKind::NotFolder);
    EXPECT_EQ(GetParam()(*root, "gone").error().kind, fs::ErrorKind::NotFound);
    EXPECT_EQ(GetParam()(*root, "gone/below").error().kind, fs::ErrorKind::NotFound);
}

INSTANTIATE_TEST_SUITE_P(FileSystem, OpenBeneathTest,
                         testing::Values(&fs::open_folder_beneath, &fs::walk_beneath));

TEST_P(RenameNewTest, MovesAFileToAFreeName) {
    const TemporaryFolder folder;
    write_file(folder / "from", "content");
    const auto root = fs::open_folder(folder.path().string());
    EXPECT_TRUE(GetParam()(*root, "from", "to"));
    EXPECT_EQ(test::snapshot(folder.path()),
              (std::map<std::string, std::string>{{"to", "content"}}));
}

TEST_P(RenameNewTest, ReplacesNothing) {
    const TemporaryFolder folder;
    const auto root = fs::open_folder(folder.path().string());
    write_file(folder / "from", "content");
    write_file(folder / "file", "old");
    std::filesystem::create_directory(folder / "folder");
    std::filesystem::create_symlink("nowhere", folder / "dangling");
    std::filesystem::create_symlink("file", folder / "link");
    for (const char *taken : {"file", "folder", "dangling", "link"}) {
        const auto renamed = GetParam()(*root, "from", taken);
        ASSERT_FALSE(renamed) << taken;
        EXPECT_EQ(renamed.error().kind, fs::ErrorKind::Exists) << taken;
    }
    EXPECT_EQ(test::read_file(folder / "from"), "content");
    EXPECT_EQ(test::read_file(folder / "file"), "old");
    EXPECT_FALSE(std::filesystem::exists(folder / "nowhere"));
}

INSTANTIATE_TEST_SUITE_P(FileSystem, RenameNewTest,
                         testing::Values(&fs::rename_new, &fs::rename_new_by_link));

TEST(FileSystem, TimesBeforeTheEpochAndFarAheadAreKept) {
    const TemporaryFolder folder;
    const auto root = fs::open_folder(folder.path().string());
    const auto file = fs::create_file(*root, "file", fs::kPlainMode);
    ASSERT_TRUE(file);
    for (const std::int64_t time : {std::int64_t{-1}, std::int64_t{-1'500'000'000}, std::int64_t{0},
                                    std::int64_t{4'000'000'000'123'456'789}}) {
        fs::set_attributes(*file, time, fs::kPlainMode);
        EXPECT_EQ(fs::status_of(*file)->mtime_ns, time);
    }
}

TEST(FileSystem, TimesThatDoNotFitBecomeTheNearestThatDoes) {
    const TemporaryFolder folder;
    write_file(folder / "file", "");
    constexpr std::int64_t kYear = 365LL * 24 * 3600;
    for (const std::int64_t seconds : {430 * kYear, -68 * kYear}) {
        const timespec time{.tv_sec = seconds, .tv_nsec = 999'999'999};
        const timespec times[2] = {time, time};
        ASSERT_EQ(::utimensat(AT_FDCWD, (folder / "file").c_str(), times, 0), 0);
        const auto status = fs::status_of((folder / "file").string());
        ASSERT_TRUE(status);
        EXPECT_EQ(status->mtime_ns > 0, seconds > 0);
        EXPECT_GT(std::abs(status->mtime_ns / 1'000'000'000), 60 * kYear);
    }
}

TEST(FileSystem, NamesAreTheLastComponentAsWritten) {
    EXPECT_EQ(fs::last_name("/a/b"), "b");
    EXPECT_EQ(fs::last_name("/a/b//"), "b");
    EXPECT_EQ(fs::last_name("b"), "b");
    EXPECT_EQ(fs::last_name("/"), "");
    EXPECT_EQ(fs::last_name(""), "");
    EXPECT_EQ(fs::last_name("/a/.."), "");
    EXPECT_EQ(fs::last_name("."), "");
}

} // namespace
} // namespace thru::test
