// Files that are replaced, and objects that take their place.
#include <functional>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "fs/disk.h"
#include "source/share.h"

namespace thru::test {
namespace {

TEST(SegmentReader, NeitherFollowsLinksNorWaitsForPipesThatTookAFilesPlace) {
    const TemporaryFolder folder;
    const auto path = folder / "file";
    write_file(path, "secret");
    const Share share({path.string()});
    std::filesystem::rename(path, folder / "elsewhere");
    std::filesystem::create_symlink("elsewhere", path);
    EXPECT_EQ(test::read_entry(share, 0).error().detail, "it is a link now");
    std::filesystem::remove(path);
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    EXPECT_EQ(test::read_entry(share, 0).error().detail, "it is not a file now");
}

TEST(SegmentReader, SaysWhenAFolderOnTheWayIsNoFolder) {
    const TemporaryFolder folder;
    write_file(folder / "set/sub/file", "1");
    const Share share({(folder / "set").string()});
    std::filesystem::remove_all(folder / "set/sub");
    write_file(folder / "set/sub", "a file");
    const auto content = test::read_entry(share, 2);
    ASSERT_FALSE(content);
    EXPECT_EQ(content.error().code, ErrorCode::PathNotFound);
    EXPECT_EQ(content.error().cause, ENOTDIR);
}

/// Reads a file of one segment, and calls `happens` when half of it is read.
std::expected<std::size_t, SegmentReader::Failure> read_while(const Share &share, auto happens) {
    SegmentReader reader(share.files, {{0, 0, share.manifest->file_size(0)}});
    Bytes chunk(static_cast<std::size_t>(reader.stream_bytes()) / 2);
    EXPECT_TRUE(reader.read(chunk));
    happens();
    chunk.resize(static_cast<std::size_t>(reader.stream_bytes()));
    return reader.read(chunk);
}

TEST(SegmentReader, DeliversTheOldVersionOfAFileThatLosesItsNameMeanwhile) {
    const TemporaryFolder folder;
    const auto path = folder / "file";
    const std::string content = test::noise(100'000, 1);
    const auto replace = [&] {
        write_file(folder / "new", test::noise(100'000, 2));
        std::filesystem::rename(folder / "new", path);
    };
    for (const std::function<void()> &happens : std::initializer_list<std::function<void()>>{
             replace, [&] { std::filesystem::remove(path); },
             [&] {
                 std::filesystem::remove(path);
                 std::filesystem::create_directory(path);
             },
             [&] {
                 std::filesystem::remove_all(path);
                 std::filesystem::create_symlink("x", path);
             }}) {
        std::filesystem::remove_all(path);
        write_file(path, content);
        const Share share({path.string()});
        EXPECT_TRUE(read_while(share, happens));
        // Further reads would return data of another file.
        EXPECT_FALSE(test::read_entry(share, 0));
    }
}

TEST(SegmentReader, DoesNotTakeAChangedFileForOneThatLostItsName) {
    const TemporaryFolder folder;
    const auto path = folder / "file";
    write_file(path, test::noise(100'000, 1));
    const Share share({path.string()});
    const auto read = read_while(share, [&] {
        std::filesystem::resize_file(path, 99'999);
        std::filesystem::resize_file(path, 100'000);
        test::make_old(path);
        std::filesystem::remove(path);
    });
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().error.code, ErrorCode::SourceChanged);
}

} // namespace
} // namespace thru::test
