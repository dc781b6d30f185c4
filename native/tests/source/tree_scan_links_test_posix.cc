// Scans that follow symbolic links.
#include "source/tree_scan.h"

#include <map>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "source/share.h"

namespace thru::test {
namespace {

using Codes = std::map<std::string, ErrorCode>;
using Paths = std::vector<std::string>;

/// A folder `top` with links, next to a folder `outside`.
class FollowedLinks : public testing::Test {
protected:
    FollowedLinks() { write_file(folder_ / "top/sub/file", "inside"); }

    void link(const char *name, const std::string &target) {
        std::filesystem::create_symlink(target, folder_ / (std::string("top/") + name));
    }
    Share scanned(ScanOptions options = {}) {
        options.follow_links = true;
        return Share({(folder_ / "top").string()}, std::move(options));
    }
    std::string outside(const std::string &name) const {
        return (std::filesystem::canonical(folder_ / "outside") / name).string();
    }

    TemporaryFolder folder_;
};

TEST_F(FollowedLinks, OfferWhatTheyLeadToUnderTheirOwnNames) {
    write_file(folder_ / "outside/notes", "far");
    write_file(folder_ / "outside/tree/deep/leaf", "leaf");
    link("near", "sub/file");
    link("sub/up", "../near");
    link("far", "../outside/notes");
    link("tree", (folder_ / "outside/tree").string());
    link("folder", "sub");
    const Share share = scanned();
    EXPECT_EQ(share.sorted_paths(),
              (Paths{"top", "top/far", "top/folder", "top/folder/file", "top/folder/up", "top/near",
                     "top/sub", "top/sub/file", "top/sub/up", "top/tree", "top/tree/deep",
                     "top/tree/deep/leaf"}));
    EXPECT_TRUE(share.problems.empty());
    for (const auto &[path, content] : std::map<std::string, std::string>{
             {"top/far", "far"},
             {"top/folder/file", "inside"},
             {"top/near", "inside"},
             {"top/sub/file", "inside"},
             {"top/sub/up", "inside"},
             {"top/tree/deep/leaf", "leaf"},
         }) {
        EXPECT_EQ(test::read_entry(share, share.index_of(path)), content) << path;
    }
    std::map<std::string, std::string> followed;
    for (const FollowedLink &link : share.followed) {
        followed[link.path] = link.target;
    }
    EXPECT_EQ(followed, (std::map<std::string, std::string>{{"top/far", outside("notes")},
                                                            {"top/tree", outside("tree")}}));
}

TEST_F(FollowedLinks, EndAtALoop) {
    write_file(folder_ / "outside/file", "1");
    link("self", "self");
    link("sub/up", "..");
    link("here", ".");
    link("away", "../outside");
    link("parent", "..");
    std::filesystem::create_directory_symlink("../top", folder_ / "outside/back");
    const Share share = scanned();
    const auto problems = share.problem_codes();
    for (const char *path : {"top/self", "top/sub/up", "top/here", "top/away/back",
                             "top/parent/top", "top/parent/outside/back"}) {
        EXPECT_EQ(problems.at(path), ErrorCode::PathUnsupported) << path;
    }
    EXPECT_EQ(problems.size(), 6u);
    EXPECT_EQ(share.sorted_paths(),
              (Paths{"top", "top/away", "top/away/file", "top/parent", "top/parent/outside",
                     "top/parent/outside/file", "top/sub", "top/sub/file"}));
}

TEST_F(FollowedLinks, AreCountedByTheirLimitWhereFoldersMultiply) {
    // Each folder has two links to the next one: 2^40 paths, but few bytes on the disk.
    constexpr int kFolders = 40;
    for (int number = 0; number < kFolders; ++number) {
        const auto here = folder_ / "outside" / std::to_string(number);
        std::filesystem::create_directories(here);
        const std::string next = "../" + std::to_string(number + 1);
        std::filesystem::create_symlink(next, here / "a");
        std::filesystem::create_symlink(next, here / "b");
    }
    std::filesystem::create_directories(folder_ / "outside" / std::to_string(kFolders));
    link("many", "../outside/0");
    const Share share = scanned({.max_entries = 1000});
    EXPECT_LE(share.entries.size(), 1000u);
    EXPECT_FALSE(share.beyond.empty());
}

TEST_F(FollowedLinks, AreLeftOutByRulesForFolders) {
    write_file(folder_ / "outside/build/file", "1");
    write_file(folder_ / "top/.gitignore", "build/\n");
    link("build", "../outside/build");
    const Share share = scanned({.ignore_files = true});
    EXPECT_EQ(share.sorted_paths(), (Paths{"top", "top/.gitignore", "top/sub", "top/sub/file"}));
    EXPECT_EQ(share.excluded.size(), 1u);
    EXPECT_TRUE(share.followed.empty());
}

TEST_F(FollowedLinks, ReportADanglingLink) {
    link("dangling", "nothing");
    link("device", "/dev/null");
    EXPECT_EQ(scanned().problem_codes(), (Codes{{"top/dangling", ErrorCode::PathNotFound},
                                                {"top/device", ErrorCode::PathUnsupported}}));
}

} // namespace
} // namespace thru::test
