#include "io/tree_scan.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "io/disk.h"
#include "io/safe_rel_path.h"

namespace thru {
namespace {

using test::TemporaryFolder;
using test::write_file;

struct Scanned {
    std::vector<ScannedEntry> entries;
    std::vector<ScanProblem> problems;
    std::size_t largest_batch = 0;

    std::set<std::string> paths() const {
        std::set<std::string> all;
        for (const ScannedEntry &scanned : entries) {
            EXPECT_TRUE(all.insert(scanned.entry.path).second) << scanned.entry.path;
        }
        return all;
    }
    const ManifestEntry &at(std::string_view path) const {
        return std::ranges::find(entries, path, [](const auto &s) { return s.entry.path; })->entry;
    }
};

Scanned scan_all(TreeScan &scan, std::size_t step = 100) {
    Scanned all;
    for (bool complete = false; !complete;) {
        ScanBatch batch = scan.step(step);
        all.largest_batch =
            std::max(all.largest_batch, batch.entries.size() + batch.problems.size());
        std::ranges::move(batch.entries, std::back_inserter(all.entries));
        std::ranges::move(batch.problems, std::back_inserter(all.problems));
        complete = batch.complete;
    }
    return all;
}

Scanned scan_all(std::vector<std::string> roots) {
    TreeScan scan(std::move(roots));
    return scan_all(scan);
}

TEST(TreeScan, ListsFilesAndFoldersParentsFirst) {
    const TemporaryFolder folder;
    write_file(folder / "top/a", "12345");
    write_file(folder / "top/sub/b", "");
    write_file(folder / "top/sub/deeper/c", "1");
    std::filesystem::create_directories(folder / "top/empty");
    const auto all = scan_all({(folder / "top").string()});
    EXPECT_TRUE(all.problems.empty());
    EXPECT_EQ(all.paths(),
              (std::set<std::string>{"top", "top/a", "top/sub", "top/sub/b", "top/sub/deeper",
                                     "top/sub/deeper/c", "top/empty"}));
    std::set<std::string> seen;
    for (const ScannedEntry &scanned : all.entries) {
        const SafeRelPath path = *SafeRelPath::parse(scanned.entry.path);
        EXPECT_TRUE(path.folder().empty() || seen.contains(std::string(path.folder())));
        if (scanned.entry.kind == EntryKind::Folder) {
            seen.insert(path.text());
        }
    }
    EXPECT_EQ(all.at("top/a").size, 5u);
    EXPECT_EQ(all.at("top/a").mtime_ns, test::mtime_of(folder / "top/a"));
    EXPECT_EQ(all.at("top/empty").kind, EntryKind::Folder);
    EXPECT_EQ(all.at("top/empty").size, 0u);
}

TEST(TreeScan, TakesBoundedSteps) {
    const TemporaryFolder folder;
    for (int file = 0; file < 100; ++file) {
        write_file(folder / ("top/" + std::to_string(file)), "");
    }
    TreeScan scan({(folder / "top").string()});
    const auto all = scan_all(scan, 7);
    EXPECT_EQ(all.entries.size(), 101u);
    EXPECT_EQ(all.largest_batch, 7u);
}

TEST(TreeScan, TellsRootsOfTheSameNameApart) {
    const TemporaryFolder folder;
    write_file(folder / "one/photo.jpg", "1");
    write_file(folder / "two/photo.jpg", "22");
    write_file(folder / "one/set/x", "");
    write_file(folder / "two/set/x", "");
    TreeScan scan({(folder / "one/photo.jpg").string(), (folder / "two/photo.jpg").string(),
                   (folder / "one/set").string(), (folder / "two/set/").string()});
    const auto all = scan_all(scan);
    EXPECT_EQ(all.paths(), (std::set<std::string>{"photo.jpg", "photo (2).jpg", "set", "set/x",
                                                  "set (2)", "set (2)/x"}));
    EXPECT_EQ(all.at("photo (2).jpg").size, 2u);
    EXPECT_EQ(all.entries[1].root, 1u);
    EXPECT_EQ(scan.root_path(1), std::filesystem::canonical(folder / "two/photo.jpg").string());
}

TEST(TreeScan, SendsOverlappingRootsUnderTheirOwnNames) {
    const TemporaryFolder folder;
    write_file(folder / "set/inner/file", "1");
    const auto all = scan_all({(folder / "set").string(), (folder / "set").string(),
                               (folder / "set/inner/file").string()});
    EXPECT_EQ(all.paths(), (std::set<std::string>{"set", "set/inner", "set/inner/file", "set (2)",
                                                  "set (2)/inner", "set (2)/inner/file", "file"}));
}

TEST(TreeScan, ReportsRootsThatAreNotThere) {
    const TemporaryFolder folder;
    write_file(folder / "here", "1");
    const auto all = scan_all({(folder / "gone").string(), (folder / "here").string()});
    ASSERT_EQ(all.problems.size(), 1u);
    EXPECT_EQ(all.problems[0].error.code, ErrorCode::PathNotFound);
    EXPECT_NE(all.problems[0].error.cause, 0);
    EXPECT_EQ(all.problems[0].path, (folder / "gone").string());
    ASSERT_EQ(all.entries.size(), 1u);
    EXPECT_EQ(all.entries[0].root, 1u);
}

TEST(TreeScan, CompletesWithNothing) {
    const auto all = scan_all(std::vector<std::string>{});
    EXPECT_TRUE(all.entries.empty());
    EXPECT_TRUE(all.problems.empty());
}

TEST(TreeScan, StopsWhereFoldersAreTooDeep) {
    const TemporaryFolder folder;
    // Step by step: such a path is longer than some systems take at once.
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    for (int depth = 0; depth < 140; ++depth) {
        std::filesystem::create_directory("d");
        std::filesystem::current_path("d");
    }
    std::filesystem::current_path(before);
    const auto all = scan_all({(folder / "d").string()});
    EXPECT_EQ(all.entries.size(), kMaxPathDepth);
    ASSERT_EQ(all.problems.size(), 1u);
    EXPECT_EQ(all.problems[0].error.code, ErrorCode::NameNotAllowed);
}

TEST(TreeScan, LeavesOutOurOwnPartFiles) {
    const TemporaryFolder folder;
    write_file(folder / "top/.~thru-123456-7.part", "half");
    write_file(folder / "top/whole", "1");
    const auto all = scan_all({(folder / "top").string()});
    EXPECT_EQ(all.paths(), (std::set<std::string>{"top", "top/whole"}));
    ASSERT_EQ(all.problems.size(), 1u);
    EXPECT_EQ(all.problems[0].error.code, ErrorCode::NameNotAllowed);
}

} // namespace
} // namespace thru
