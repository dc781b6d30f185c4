#include "source/hard_link_finder.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "source/share.h"

namespace thru::test {
namespace {

/// A folder with these names of one file.
class HardLinkFinderTest : public testing::Test {
protected:
    HardLinkFinderTest() {
        write_file(folder_ / "top/a", "content");
        write_file(folder_ / "top/other", "content");
        for (const char *name : {"top/b", "top/below/c"}) {
            std::filesystem::create_directories((folder_ / name).parent_path());
            std::filesystem::create_hard_link(folder_ / "top/a", folder_ / name);
        }
    }

    /// The paths of further names, each with that of the first.
    std::vector<std::string> found(ScanOptions options = {}, const IndexRanges &removed = {}) {
        const Share share({(folder_ / "top").string()}, std::move(options));
        ManifestTable manifest;
        HardLinkFinder finder;
        for (const ScannedEntry &scanned : share.entries) {
            EXPECT_TRUE(manifest.add(scanned.entry));
            if (scanned.entry.kind == EntryKind::File) {
                finder.add(manifest, scanned.identity.id, scanned.links);
            }
        }
        std::vector<std::string> pairs;
        for (const HardLink &link : finder.links(removed)) {
            EXPECT_LT(link.first, link.index);
            EXPECT_TRUE(manifest.may_be_one_file(link.first, link.index));
            pairs.push_back(name_of(manifest, link.index) + "=" + name_of(manifest, link.first));
        }
        return pairs;
    }
    static std::string name_of(const ManifestTable &manifest, std::uint64_t index) {
        const std::string_view path = manifest.path(index);
        return std::string(path.substr(path.rfind('/') + 1));
    }

    TemporaryFolder folder_;
};

TEST_F(HardLinkFinderTest, FindsTheNamesOfAFile) {
    const auto pairs = found();
    ASSERT_EQ(pairs.size(), 2u);
    // The system decides which of a and b is listed first.
    const bool a_first = pairs[0] == "b=a";
    EXPECT_EQ(pairs[0], a_first ? "b=a" : "a=b");
    EXPECT_EQ(pairs[1], a_first ? "c=a" : "c=b");
}

TEST_F(HardLinkFinderTest, MakesTheNextNameTheFirstWhenOneIsLeftOut) {
    ScanOptions options;
    options.exclude = {*PathPattern::parse("top/a")};
    EXPECT_EQ(found(options), std::vector<std::string>{"c=b"});
    const auto all = found();
    const std::string first = all[0].substr(2);
    const Share share({(folder_ / "top").string()});
    const auto left = found({}, {{share.index_of("top/" + first), 1}});
    EXPECT_EQ(left, std::vector<std::string>{"c=" + all[0].substr(0, 1)});
}

TEST_F(HardLinkFinderTest, FindsNothingInNamesThatAreNotShared) {
    ScanOptions options;
    options.exclude = {*PathPattern::parse("top/b"), *PathPattern::parse("top/below")};
    EXPECT_TRUE(found(options).empty());
}

TEST_F(HardLinkFinderTest, TakesAChangedFileForAnotherOne) {
    ManifestTable manifest;
    HardLinkFinder finder;
    for (const std::uint64_t size : {10, 11, 11}) {
        EXPECT_TRUE(manifest.add({.path = std::to_string(manifest.size()), .size = size}));
        finder.add(manifest, {.device = 1, .number = 2}, 3);
    }
    EXPECT_EQ(finder.links({}), (std::vector<HardLink>{{2, 1}}));
}

} // namespace
} // namespace thru::test
