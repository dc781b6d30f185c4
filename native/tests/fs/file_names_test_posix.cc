// Operations on names in a folder: links, renames, listings, sync.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "fs/disk.h"
#include "fs/file_system_posix.h"

namespace thru::test {
namespace {

class FileNames : public testing::Test {
protected:
    TemporaryFolder folder_;
    fs::FileHandle root_ = fs::open_folder(folder_.path().string()).value();
};

using OpenFile = fs::SystemResult<fs::FileHandle> (*)(const fs::FileHandle &, std::string_view);

/// Runs with the system's call and with its fallback.
class OpenFileBeneathTest : public FileNames, public testing::WithParamInterface<OpenFile> {};

TEST_P(OpenFileBeneathTest, FindsFilesInFolders) {
    write_file(folder_ / "file", "one");
    write_file(folder_ / "a/b/file", "three");
    for (const auto &[path, size] : {std::pair("file", 3u), std::pair("a/b/file", 5u)}) {
        const auto file = GetParam()(root_, path);
        ASSERT_TRUE(file) << path;
        EXPECT_EQ(fs::status_of(*file)->size, size);
    }
}

TEST_P(OpenFileBeneathTest, FollowsNoLinkAnywhere) {
    write_file(folder_ / "outside/file", "x");
    write_file(folder_ / "root/real", "x");
    std::filesystem::create_symlink("real", folder_ / "root/link");
    std::filesystem::create_symlink("gone", folder_ / "root/dangling");
    std::filesystem::create_directory_symlink("../outside", folder_ / "root/out");
    const auto root = fs::open_folder((folder_ / "root").string()).value();
    for (const char *path : {"link", "dangling"}) {
        EXPECT_EQ(GetParam()(root, path).error().kind, fs::ErrorKind::Link) << path;
    }
    EXPECT_FALSE(GetParam()(root, "out/file"));
}

TEST_P(OpenFileBeneathTest, SaysWhatIsInTheWay) {
    write_file(folder_ / "file", "x");
    EXPECT_EQ(GetParam()(root_, "gone").error().kind, fs::ErrorKind::NotFound);
    EXPECT_EQ(GetParam()(root_, "gone/file").error().kind, fs::ErrorKind::NotFound);
    EXPECT_EQ(GetParam()(root_, "file/below").error().kind, fs::ErrorKind::NotFolder);
}

TEST_P(OpenFileBeneathTest, DoesNotWaitForAPipesOtherEnd) {
    ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
    const auto pipe = GetParam()(root_, "pipe");
    ASSERT_TRUE(pipe);
    EXPECT_EQ(fs::status_of(*pipe)->type, fs::FileType::Other);
}

INSTANTIATE_TEST_SUITE_P(FileSystem, OpenFileBeneathTest,
                         testing::Values(&fs::open_beneath_for_reading, &fs::walk_to_file));

TEST_F(FileNames, OpeningAPipeForWritingDoesNotWait) {
    ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
    if (const auto pipe = fs::open_for_writing(root_, "pipe")) {
        EXPECT_EQ(fs::status_of(*pipe)->type, fs::FileType::Other);
    }
}

TEST_F(FileNames, StatusIsOfTheLinkItself) {
    write_file(folder_ / "file", "content");
    std::filesystem::create_symlink("file", folder_ / "link");
    std::filesystem::create_directory(folder_ / "folder");
    EXPECT_EQ(fs::status_beneath(root_, "file")->size, 7u);
    EXPECT_EQ(fs::status_beneath(root_, "link")->type, fs::FileType::Link);
    EXPECT_EQ(fs::status_beneath(root_, "folder")->type, fs::FileType::Folder);
    EXPECT_EQ(fs::status_beneath(root_, "gone").error().kind, fs::ErrorKind::NotFound);
}

TEST_F(FileNames, LinksAreMadeAndReadAsTheyAre) {
    for (const std::string &text : {std::string("file"), std::string("../up/and away"),
                                    std::string("/absolute"), std::string(4000, 'x')}) {
        ASSERT_TRUE(fs::make_link(root_, "link", text));
        EXPECT_EQ(fs::read_link(root_, "link"), text);
        EXPECT_EQ(fs::read_link((folder_ / "link").string()), text);
        ASSERT_TRUE(fs::remove_file(root_, "link"));
    }
    write_file(folder_ / "file", "content");
    EXPECT_FALSE(fs::read_link(root_, "file"));
    EXPECT_EQ(fs::read_link(root_, "gone").error().kind, fs::ErrorKind::NotFound);
}

TEST_F(FileNames, LinksReplaceNothing) {
    write_file(folder_ / "file", "content");
    std::filesystem::create_symlink("nowhere", folder_ / "dangling");
    std::filesystem::create_directory(folder_ / "folder");
    for (const char *taken : {"file", "dangling", "folder"}) {
        const auto made = fs::make_link(root_, taken, "file");
        ASSERT_FALSE(made) << taken;
        EXPECT_EQ(made.error().kind, fs::ErrorKind::Exists) << taken;
    }
}

TEST_F(FileNames, RenamesOverFilesAndLinks) {
    write_file(folder_ / "aim", "aim");
    for (const char *to : {"free", "file", "link", "dangling"}) {
        write_file(folder_ / "from", "content");
        write_file(folder_ / "file", "old");
        if (to == std::string_view("link")) {
            std::filesystem::create_symlink("aim", folder_ / "link");
        }
        if (to == std::string_view("dangling")) {
            std::filesystem::create_symlink("nowhere", folder_ / "dangling");
        }
        ASSERT_TRUE(fs::rename_over(root_, "from", to)) << to;
        EXPECT_EQ(fs::status_beneath(root_, to)->type, fs::FileType::File) << to;
        EXPECT_EQ(read_file(folder_ / to), "content") << to;
        EXPECT_FALSE(std::filesystem::exists(folder_ / "from")) << to;
    }
    EXPECT_EQ(read_file(folder_ / "aim"), "aim");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "nowhere"));
}

TEST_F(FileNames, RenamesOverNoFolder) {
    write_file(folder_ / "from", "content");
    write_file(folder_ / "full/file", "x");
    std::filesystem::create_directory(folder_ / "empty");
    for (const char *to : {"full", "empty"}) {
        const auto renamed = fs::rename_over(root_, "from", to);
        ASSERT_FALSE(renamed) << to;
        EXPECT_EQ(renamed.error().kind, fs::ErrorKind::Exists) << to;
    }
    EXPECT_EQ(fs::rename_over(root_, "gone", "to").error().kind, fs::ErrorKind::NotFound);
    EXPECT_EQ(read_file(folder_ / "from"), "content");
}

TEST_F(FileNames, ListsOnlyFilesWithThePrefixUpToTheLimit) {
    for (const char *name : {".~a-1", ".~a-2", ".~a-3", ".~b-1", "other"}) {
        write_file(folder_ / name, "");
    }
    std::filesystem::create_directory(folder_ / ".~a-folder");
    std::filesystem::create_symlink("other", folder_ / ".~a-link");
    auto names = fs::list_names(root_, ".~a-", 100).value();
    std::ranges::sort(names);
    EXPECT_EQ(names, (std::vector<std::string>{".~a-1", ".~a-2", ".~a-3"}));
    EXPECT_EQ(fs::list_names(root_, ".~a-", 2)->size(), 2u);
    EXPECT_TRUE(fs::list_names(root_, ".~c-", 2)->empty());
    EXPECT_EQ(fs::list_names(root_, "", 100)->size(), 5u);
    const auto deeper = fs::open_folder_beneath(root_, ".~a-folder");
    EXPECT_TRUE(fs::list_names(*deeper, "", 100)->empty());
}

TEST_F(FileNames, FoldersAndFileSystemsAreSyncedThroughAnyHandle) {
    write_file(folder_ / "a/b/file", "x");
    const auto beneath = fs::open_folder_beneath(root_, "a/b");
    for (const auto *folder : {static_cast<const fs::FileHandle *>(&root_), &*beneath}) {
        EXPECT_TRUE(fs::sync_folder(*folder));
        EXPECT_TRUE(fs::sync_file_system(*folder));
    }
}

TEST_F(FileNames, FoldersGetTheirTimesThroughAnyHandle) {
    std::filesystem::create_directories(folder_ / "a/b");
    const auto beneath = fs::open_folder_beneath(root_, "a/b");
    fs::set_folder_time(root_, 1'234'567'890'123'456'700);
    fs::set_folder_time(*beneath, -5'000'000'000);
    EXPECT_EQ(fs::status_of(root_)->mtime_ns, 1'234'567'890'123'456'700);
    EXPECT_EQ(fs::status_of(*beneath)->mtime_ns, -5'000'000'000);
}

TEST_F(FileNames, VolumesOfFilesAndFoldersAreTheSame) {
    write_file(folder_ / "a/file", "x");
    const auto facts = fs::volume_facts(root_);
    ASSERT_TRUE(facts);
    EXPECT_GT(facts->free_bytes, 0u);
    EXPECT_GE(facts->max_file_bytes, std::uint64_t{1} << 30);
    EXPECT_EQ(facts->id.device, fs::status_of(root_)->id.device);
    EXPECT_EQ(fs::volume_facts(*fs::open_folder_beneath(root_, "a"))->id, facts->id);
    EXPECT_EQ(fs::volume_facts(*fs::open_beneath_for_reading(root_, "a/file"))->id, facts->id);
}

TEST_F(FileNames, StartsOfTheComputerHaveAName) {
    EXPECT_FALSE(fs::boot_id().empty());
    EXPECT_EQ(fs::boot_id(), fs::boot_id());
}

} // namespace
} // namespace thru::test
