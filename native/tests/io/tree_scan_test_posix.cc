// What only POSIX systems have in their folders.
#include "io/tree_scan.h"

#include <algorithm>
#include <cstring>
#include <map>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "io/disk.h"
#include "io/local_transfer.h"

namespace thru {
namespace {

using test::TemporaryFolder;
using test::write_file;

std::map<std::string, ErrorCode> problems_of(const test::Source &source) {
    std::map<std::string, ErrorCode> found;
    for (const ScanProblem &problem : source.problems) {
        found[problem.path] = problem.error.code;
    }
    return found;
}

TEST(TreeScan, ReportsSpecialFilesAndLinksWithoutOpeningThem) {
    const TemporaryFolder folder;
    write_file(folder / "top/file", "1");
    ASSERT_EQ(::mkfifo((folder / "top/pipe").c_str(), 0600), 0);
    const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string name = (folder / "top/socket").string();
    ASSERT_LT(name.size(), sizeof(address.sun_path));
    std::memcpy(address.sun_path, name.c_str(), name.size());
    ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr *>(&address), sizeof(address)), 0);
    std::filesystem::create_symlink("file", folder / "top/link");
    std::filesystem::create_directory_symlink("..", folder / "top/loop");
    std::filesystem::create_symlink("/nowhere", folder / "top/dangling");
    const auto source = test::scan({(folder / "top").string()});
    EXPECT_EQ(source.manifest->size(), 2u);
    EXPECT_EQ(problems_of(source),
              (std::map<std::string, ErrorCode>{{"top/pipe", ErrorCode::PathUnsupported},
                                                {"top/socket", ErrorCode::PathUnsupported},
                                                {"top/link", ErrorCode::PathUnsupported},
                                                {"top/loop", ErrorCode::PathUnsupported},
                                                {"top/dangling", ErrorCode::PathUnsupported}}));
    ::close(listener);
}

TEST(TreeScan, ReportsSpecialFilesThatAreDropped) {
    const TemporaryFolder folder;
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    const auto source = test::scan({(folder / "pipe").string(), "/dev/null", "/"});
    ASSERT_EQ(source.problems.size(), 3u);
    EXPECT_EQ(source.problems[0].error.code, ErrorCode::PathUnsupported);
    EXPECT_EQ(source.problems[1].error.code, ErrorCode::PathUnsupported);
    EXPECT_EQ(source.problems[2].error.code, ErrorCode::NameNotAllowed);
}

TEST(TreeScan, FollowsALinkThatTheUserDropped) {
    const TemporaryFolder folder;
    write_file(folder / "real/file", "content");
    std::filesystem::create_directory_symlink("real", folder / "shown");
    std::filesystem::create_symlink("real/file", folder / "name.txt");
    const auto source = test::scan({(folder / "shown").string(), (folder / "name.txt").string()});
    ASSERT_TRUE(source.problems.empty());
    ASSERT_EQ(source.manifest->size(), 3u);
    EXPECT_EQ(source.manifest->path(0), "shown");
    EXPECT_EQ(source.manifest->path(1), "shown/file");
    EXPECT_EQ(source.manifest->path(2), "name.txt");
    EXPECT_TRUE(test::read_segment(source, {{1, 0, 7}, {2, 0, 7}}));
}

TEST(TreeScan, ReportsNamesThatOthersCannotHold) {
    const TemporaryFolder folder;
    write_file(folder / "top/bad\xff", "1");
    write_file(folder / "top/line\nbreak", "1");
    write_file(folder / "top/back\\slash", "1");
    write_file(folder / "top/folder\xc0\xae/inside", "1");
    write_file(folder / "top/caf\u00e9", "1");
    write_file(folder / "top/cafe\u0301", "1");
    const auto source = test::scan({(folder / "top").string()});
    EXPECT_EQ(source.manifest->size(), 3u);
    EXPECT_EQ(problems_of(source), (std::map<std::string, ErrorCode>{
                                       {"top/bad\\xff", ErrorCode::NameNotAllowed},
                                       {"top/line\\x0abreak", ErrorCode::NameNotAllowed},
                                       {"top/back\\slash", ErrorCode::NameNotAllowed},
                                       {"top/folder\\xc0\\xae", ErrorCode::NameNotAllowed}}));
}

TEST(TreeScan, ReportsFoldersThatVanishBeforeTheyAreListed) {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder / "top/one");
    std::filesystem::create_directories(folder / "top/two");
    TreeScan scan({(folder / "top").string()});
    // All of top, and the first of its folders.
    EXPECT_EQ(scan.step(2).entries.size(), 2u);
    std::filesystem::remove(folder / "top/one");
    std::filesystem::remove(folder / "top/two");
    const ScanBatch rest = scan.step(10);
    EXPECT_TRUE(rest.complete);
    EXPECT_TRUE(rest.entries.empty());
    ASSERT_EQ(rest.problems.size(), 1u);
    EXPECT_EQ(rest.problems[0].error.code, ErrorCode::PathNotFound);
}

TEST(TreeScan, ReportsFoldersThatItMayNotList) {
    const TemporaryFolder folder;
    write_file(folder / "top/closed/file", "1");
    write_file(folder / "top/open", "1");
    std::filesystem::permissions(folder / "top/closed", std::filesystem::perms::none);
    const auto source = test::scan({(folder / "top").string()});
    std::filesystem::permissions(folder / "top/closed", std::filesystem::perms::owner_all);
    std::map<std::string, ErrorCode> expected;
    if (::geteuid() != 0) { // root may
        expected["top/closed"] = ErrorCode::PathUnreadable;
    }
    EXPECT_EQ(problems_of(source), expected);
}

} // namespace
} // namespace thru
