#include "source/tree_scan.h"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "names/safe_rel_path.h"
#include "source/share.h"

namespace thru::test {
namespace {

using Paths = std::vector<std::string>;

TEST(TreeScan, ListsFilesAndFoldersParentsFirst) {
    const TemporaryFolder folder;
    write_file(folder / "top/a", "12345");
    write_file(folder / "top/sub/b", "");
    write_file(folder / "top/sub/deeper/c", "1");
    std::filesystem::create_directories(folder / "top/empty");
    const Share all({(folder / "top").string()});
    EXPECT_TRUE(all.problems.empty());
    EXPECT_EQ(all.sorted_paths(), (Paths{"top", "top/a", "top/empty", "top/sub", "top/sub/b",
                                         "top/sub/deeper", "top/sub/deeper/c"}));
    std::set<std::string> seen;
    for (const ScannedEntry &scanned : all.entries) {
        const SafeRelPath path = *SafeRelPath::parse(scanned.entry.path);
        EXPECT_TRUE(path.folder().empty() || seen.contains(std::string(path.folder())));
        if (scanned.entry.kind == EntryKind::Folder) {
            seen.insert(path.text());
        }
    }
    EXPECT_EQ(all.at("top/a").entry.size, 5u);
    EXPECT_EQ(all.at("top/a").entry.mtime_ns, test::mtime_of(folder / "top/a"));
    EXPECT_EQ(all.at("top/empty").entry.kind, EntryKind::Folder);
    EXPECT_EQ(all.at("top/empty").entry.size, 0u);
}

TEST(TreeScan, TakesBoundedSteps) {
    const TemporaryFolder folder;
    for (int file = 0; file < 100; ++file) {
        write_file(folder / ("top/" + std::to_string(file)), "");
    }
    Share all;
    all.add_items({{.path = (folder / "top").string()}}, 7);
    EXPECT_EQ(all.entries.size(), 101u);
    EXPECT_EQ(all.largest_batch, 7u);
}

TEST(TreeScan, SendsOverlappingItemsUnderTheirOwnNames) {
    const TemporaryFolder folder;
    write_file(folder / "set/inner/file", "1");
    const Share all({(folder / "set").string(), (folder / "set").string(),
                     (folder / "set/inner/file").string()});
    EXPECT_EQ(all.sorted_paths(), (Paths{"file", "set", "set (2)", "set (2)/inner",
                                         "set (2)/inner/file", "set/inner", "set/inner/file"}));
}

TEST(TreeScan, ReportsItemsThatAreNotThere) {
    const TemporaryFolder folder;
    write_file(folder / "here", "1");
    const Share all({(folder / "gone").string(), (folder / "here").string()});
    ASSERT_EQ(all.problems.size(), 1u);
    EXPECT_EQ(all.problems[0].error.code, ErrorCode::PathNotFound);
    EXPECT_NE(all.problems[0].error.cause, 0);
    EXPECT_EQ(all.problems[0].path, (folder / "gone").string());
    ASSERT_EQ(all.entries.size(), 1u);
    EXPECT_EQ(all.entries[0].root, 1u);
}

TEST(TreeScan, CompletesWithNothing) {
    TreeScan scan({});
    const ScanBatch batch = scan.step(10);
    EXPECT_TRUE(batch.complete);
    EXPECT_TRUE(batch.entries.empty());
    EXPECT_TRUE(batch.problems.empty());
}

TEST(TreeScan, StopsWhereFoldersAreTooDeep) {
    const TemporaryFolder folder;
    // Created step by step, because some systems don't accept such a long path.
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    for (int depth = 0; depth < 140; ++depth) {
        std::filesystem::create_directory("d");
        std::filesystem::current_path("d");
    }
    std::filesystem::current_path(before);
    const Share all({(folder / "d").string()});
    EXPECT_EQ(all.entries.size(), kMaxPathDepth);
    ASSERT_EQ(all.problems.size(), 1u);
    EXPECT_EQ(all.problems[0].error.code, ErrorCode::NameNotAllowed);
}

/// A receiver that follows would otherwise move nothing that is deleted here.
TEST(TreeScan, LeavesOutFilesOfUnfinishedReceivesWithoutAProblem) {
    const TemporaryFolder folder;
    for (const char *end : {"-7.part", "-12.part", ".journal", ".journal.new", ".probe"}) {
        write_file(folder / (std::string("top/.~thru-0a2b4f") + end), "half");
    }
    write_file(folder / "top/whole", "1");
    const Share all({(folder / "top").string()});
    EXPECT_EQ(all.sorted_paths(), (Paths{"top", "top/whole"}));
    EXPECT_TRUE(all.problems.empty());
}

TEST(TreeScan, ReportsOtherNamesThatBeginLikeThoseOfReceives) {
    const TemporaryFolder folder;
    for (const char *end : {"", "0a2b4f", "0a2b4g-7.part", "0a2b4f-0.part", "0a2b4f-7.parts",
                            "0a2b4f.journal2", "backup"}) {
        write_file(folder / (std::string("top/.~thru-") + end), "1");
    }
    std::filesystem::create_directory(folder / "top/.~thru-0a2b4f.journal");
    const Share all({(folder / "top").string()});
    EXPECT_EQ(all.sorted_paths(), (Paths{"top"}));
    ASSERT_EQ(all.problems.size(), 8u);
    for (const auto &problem : all.problems) {
        EXPECT_EQ(problem.error.code, ErrorCode::NameNotAllowed);
    }
}

TEST(TreeScan, RemembersWhatDistinguishesAFileFromLaterVersions) {
    const TemporaryFolder folder;
    write_file(folder / "top/old", "1");
    write_file(folder / "top/new", "1");
    test::make_old(folder / "top/old");
    const Share all({(folder / "top").string()});
    for (const char *name : {"old", "new"}) {
        const auto status = fs::status_of((folder / (std::string("top/") + name)).string());
        const SourceIdentity &identity = all.at(std::string("top/") + name).identity;
        EXPECT_EQ(identity.version.ctime_ns, status->ctime_ns);
        EXPECT_EQ(identity.id, status->id);
    }
    EXPECT_TRUE(all.at("top/old").identity.stable);
    EXPECT_FALSE(all.at("top/new").identity.stable);
}

} // namespace
} // namespace thru::test
