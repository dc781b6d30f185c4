#include <gtest/gtest.h>
#include <sys/stat.h>

#include "io/disk.h"
#include "io/local_transfer.h"

namespace thru {
namespace {

using test::TemporaryFolder;
using test::write_file;

TEST(SegmentReader, NeitherFollowsLinksNorWaitsForPipesThatTookAFilesPlace) {
    const TemporaryFolder folder;
    const auto path = folder / "file";
    write_file(path, "secret");
    const auto source = test::scan({path.string()});
    const auto failure = [&source] {
        const auto stream = test::read_segment(source, {{0, 0, 6}});
        return stream ? ErrorCode::Internal : stream.error().error.code;
    };
    std::filesystem::rename(path, folder / "elsewhere");
    std::filesystem::create_symlink("elsewhere", path);
    EXPECT_EQ(failure(), ErrorCode::SourceChanged);
    std::filesystem::remove(path);
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    EXPECT_EQ(failure(), ErrorCode::SourceChanged);
}

TEST(SegmentReader, SaysWhenAFolderOnTheWayIsNoFolderAnyMore) {
    const TemporaryFolder folder;
    write_file(folder / "set/sub/file", "1");
    const auto source = test::scan({(folder / "set").string()});
    std::filesystem::remove_all(folder / "set/sub");
    write_file(folder / "set/sub", "a file");
    const auto stream = test::read_segment(source, {{2, 0, 1}});
    ASSERT_FALSE(stream);
    EXPECT_EQ(stream.error().index, 2u);
    EXPECT_EQ(stream.error().error.code, ErrorCode::PathNotFound);
    EXPECT_EQ(stream.error().error.cause, ENOTDIR);
}

} // namespace
} // namespace thru
