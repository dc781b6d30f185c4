// Folder contents that exist only on POSIX systems.
#include "source/tree_scan.h"

#include <algorithm>
#include <cstring>
#include <map>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "fs/disk.h"
#include "source/share.h"

namespace thru::test {
namespace {

using Codes = std::map<std::string, ErrorCode>;

TEST(TreeScan, ReportsSpecialFilesWithoutOpeningThem) {
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
    const Share share({(folder / "top").string()});
    EXPECT_EQ(share.manifest->size(), 2u);
    EXPECT_EQ(share.problem_codes(), (Codes{{"top/pipe", ErrorCode::PathUnsupported},
                                            {"top/socket", ErrorCode::PathUnsupported}}));
    ::close(listener);
}

TEST(TreeScan, OffersLinksThatStayInTheirItemAndFollowsNone) {
    const TemporaryFolder folder;
    write_file(folder / "outside/secret", "1");
    write_file(folder / "top/file", "1");
    write_file(folder / "top/sub/file", "1");
    const auto link = [&](const char *name, const char *target) {
        std::filesystem::create_symlink(target, folder / (std::string("top/") + name));
    };
    link("link", "file");
    link("sub/up", "../file");
    link("sub/loop", "..");
    link("self", "self");
    link("folder", "sub");
    link("dangling", "sub/nothing");
    link("away", "../outside");
    link("sub/away", "../../outside/secret");
    link("absolute", "/etc/passwd");
    link("empty", "sub//file");
    const Share share({(folder / "top").string()});
    std::map<std::string, std::string> targets;
    for (const ScannedEntry &scanned : share.entries) {
        if (scanned.entry.kind == EntryKind::Link) {
            targets[scanned.entry.path] = scanned.entry.target;
            EXPECT_EQ(scanned.entry.size, 0u);
        }
    }
    EXPECT_EQ(targets, (std::map<std::string, std::string>{{"top/link", "file"},
                                                           {"top/sub/up", "../file"},
                                                           {"top/sub/loop", ".."},
                                                           {"top/self", "self"},
                                                           {"top/folder", "sub"},
                                                           {"top/dangling", "sub/nothing"}}));
    EXPECT_EQ(share.entries.size(), 4 + targets.size());
    EXPECT_EQ(share.problem_codes(), (Codes{{"top/away", ErrorCode::LinkOutside},
                                            {"top/sub/away", ErrorCode::LinkOutside},
                                            {"top/absolute", ErrorCode::LinkOutside},
                                            {"top/empty", ErrorCode::PathUnsupported}}));
}

TEST(TreeScan, ReportsAllLinksWhenNoneAreWanted) {
    const TemporaryFolder folder;
    write_file(folder / "top/file", "1");
    std::filesystem::create_symlink("file", folder / "top/link");
    const Share share({(folder / "top").string()}, {.links = false});
    EXPECT_EQ(share.entries.size(), 2u);
    EXPECT_EQ(share.problem_codes(), (Codes{{"top/link", ErrorCode::PathUnsupported}}));
}

TEST(TreeScan, ReportsSpecialFilesThatAreDropped) {
    const TemporaryFolder folder;
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    const Share share({(folder / "pipe").string(), "/dev/null", "/dev/zero", "/"});
    EXPECT_TRUE(share.entries.empty());
    EXPECT_EQ(share.problem_codes(),
              (Codes{{(folder / "pipe").string(), ErrorCode::PathUnsupported},
                     {"/dev/null", ErrorCode::PathUnsupported},
                     {"/dev/zero", ErrorCode::PathUnsupported},
                     {"/", ErrorCode::NameNotAllowed}}));
}

TEST(TreeScan, FollowsALinkThatTheUserDropped) {
    const TemporaryFolder folder;
    write_file(folder / "real/file", "content");
    std::filesystem::create_directory_symlink("real", folder / "shown");
    std::filesystem::create_symlink("real/file", folder / "name.txt");
    const Share share({(folder / "shown").string(), (folder / "name.txt").string()});
    ASSERT_TRUE(share.problems.empty());
    ASSERT_EQ(share.manifest->size(), 3u);
    EXPECT_EQ(share.manifest->path(0), "shown");
    EXPECT_EQ(share.manifest->path(1), "shown/file");
    EXPECT_EQ(share.manifest->path(2), "name.txt");
    EXPECT_TRUE(test::read_segment(share, {{1, 0, 7}, {2, 0, 7}}));
}

/// The items of an earlier scan, with their targets.
std::vector<ScanItem> with_targets(const Share &share, const std::vector<std::string> &paths) {
    std::vector<ScanItem> items;
    for (const std::string &path : paths) {
        const auto index = share.index_of(std::filesystem::path(path).filename().string());
        items.push_back({.path = path, .resolved = share.files->item_path(index)});
    }
    return items;
}

TEST(TreeScan, OffersWhatALinkLedToWhenItWasFirstScanned) {
    const TemporaryFolder folder;
    write_file(folder / "one", "first");
    write_file(folder / "two", "second");
    std::filesystem::create_symlink("one", folder / "link");
    const std::vector<std::string> paths = {(folder / "link").string()};
    const Share first(paths);
    const auto items = with_targets(first, paths);
    std::filesystem::remove(folder / "link");
    std::filesystem::create_symlink("two", folder / "link");
    Share later;
    later.add_items(items);
    EXPECT_EQ(later.sorted_paths(), std::vector<std::string>{"link"});
    EXPECT_EQ(test::read_entry(later, 0), "first");
}

TEST(TreeScan, ReportsItemsThatBecameLinks) {
    const TemporaryFolder folder;
    write_file(folder / "shared/file", "mine");
    write_file(folder / "shared/sub/x", "mine");
    write_file(folder / "shared/above/below", "mine");
    write_file(folder / "other/x", "secret");
    write_file(folder / "other/below", "secret");
    const std::vector<std::string> paths = {(folder / "shared/file").string(),
                                            (folder / "shared/sub").string(),
                                            (folder / "shared/above/below").string()};
    const Share first(paths);
    const auto items = with_targets(first, paths);
    std::filesystem::remove(folder / "shared/file");
    std::filesystem::create_symlink("../other/x", folder / "shared/file");
    for (const char *replaced : {"shared/sub", "shared/above"}) {
        std::filesystem::remove_all(folder / replaced);
        std::filesystem::create_directory_symlink("../other", folder / replaced);
    }
    Share later;
    later.add_items(items);
    EXPECT_TRUE(later.entries.empty());
    EXPECT_EQ(later.problem_codes(), (Codes{{paths[0], ErrorCode::SourceChanged},
                                            {paths[1], ErrorCode::SourceChanged},
                                            {paths[2], ErrorCode::SourceChanged}}));
    EXPECT_TRUE(std::ranges::all_of(later.problems, &ScanProblem::whole_item));
}

TEST(TreeScan, RecognizesSparseFilesByTheirAllocation) {
    constexpr std::uint64_t kTiB = 1ULL << 40;
    const TemporaryFolder folder;
    write_file(folder / "top/dense", std::string(kSegmentBytes + 1, 'x'));
    write_file(folder / "top/small", "");
    write_file(folder / "top/huge", "begin");
    std::filesystem::resize_file(folder / "top/small", kSegmentBytes);
    std::filesystem::resize_file(folder / "top/huge", kTiB);
    const Share share({(folder / "top").string()});
    EXPECT_FALSE(share.at("top/dense").entry.sparse);
    EXPECT_FALSE(share.at("top/small").entry.sparse) << "one segment";
    EXPECT_TRUE(share.at("top/huge").entry.sparse);
    EXPECT_EQ(share.at("top/huge").entry.size, kTiB);
}

TEST(TreeScan, OffersANameInTheFormThatItHas) {
    for (const std::string name : {"caf\u00e9", "cafe\u0301", "\u1112\u1161\u11ab", "\ud55c"}) {
        const TemporaryFolder folder;
        write_file(folder / "top" / name, "1");
        const Share share({(folder / "top").string()});
        EXPECT_EQ(share.sorted_paths(), (std::vector<std::string>{"top", "top/" + name}));
    }
}

TEST(TreeScan, ReportsFoldersThatVanishBeforeTheyAreListed) {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder / "top/one");
    std::filesystem::create_directories(folder / "top/two");
    TreeScan scan({});
    scan.add({{.path = (folder / "top").string()}});
    // The first step covers top and the first of its folders.
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
    const Share share({(folder / "top").string()});
    std::filesystem::permissions(folder / "top/closed", std::filesystem::perms::owner_all);
    Codes expected;
    if (::geteuid() != 0) { // root may read it
        expected["top/closed"] = ErrorCode::PathUnreadable;
    }
    EXPECT_EQ(share.problem_codes(), expected);
}

} // namespace
} // namespace thru::test
