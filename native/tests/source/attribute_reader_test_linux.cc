// Extended attributes and creation times that a scan finds.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "source/share.h"

namespace thru::test {
namespace {

bool set(const std::filesystem::path &path, const std::string &name, std::string_view value) {
    return ::setxattr(path.c_str(), name.c_str(), value.data(), value.size(), 0) == 0;
}

class AttributeReader : public testing::Test {
protected:
    void SetUp() override {
        write_file(folder_ / "in/file", "content");
        if (!set(folder_ / "in/file", "user.note", "hello")) {
            GTEST_SKIP() << "this file system has no extended attributes";
        }
    }
    ReadAttributes found(const char *path, bool reads = true) const {
        const Share share({(folder_ / "in").string()}, {.attributes = reads});
        return share.at(path).attributes;
    }

    TemporaryFolder folder_;
};

TEST_F(AttributeReader, FindsThoseOfFilesInOrderAndLeavesOutTheOthers) {
    const auto file = folder_ / "in/file";
    ASSERT_TRUE(set(file, "user.empty", ""));
    ASSERT_TRUE(set(file, "user.com.apple.FinderInfo", std::string(32, '\1')));
    ASSERT_TRUE(set(file, "user.xdg.origin.url", "thruflux:received?from=Mina"));
    ASSERT_TRUE(set(file, "user.com.apple.quarantine", "0083;"));
    ASSERT_TRUE(set(file, "user.\xff", "no text"));
    const ReadAttributes read = found("in/file");
    EXPECT_EQ(read.attributes,
              (std::vector<ExtendedAttribute>{{"com.apple.FinderInfo", std::string(32, '\1')},
                                              {"empty", ""},
                                              {"note", "hello"}}));
    EXPECT_FALSE(read.incomplete);
    EXPECT_TRUE(found("in/file", false).attributes.empty());
}

TEST_F(AttributeReader, FindsThoseOfASharedFileAndOfFollowedLinksButNotThroughOtherLinks) {
    std::filesystem::create_symlink("file", folder_ / "in/link");
    EXPECT_TRUE(found("in/link").attributes.empty());
    const Share followed({(folder_ / "in").string(), (folder_ / "in/file").string()},
                         {.follow_links = true, .attributes = true});
    EXPECT_EQ(followed.at("in/link").attributes.attributes.size(), 1U);
    EXPECT_EQ(followed.at("file").attributes.attributes.size(), 1U);
}

TEST_F(AttributeReader, FindsThoseOfFoldersAlsoOfFollowedLinks) {
    write_file(folder_ / "in/sub/file", "content");
    write_file(folder_ / "elsewhere/file", "content");
    std::filesystem::create_directory_symlink(folder_ / "elsewhere", folder_ / "in/link");
    ASSERT_TRUE(set(folder_ / "in", "user.note", "item"));
    ASSERT_TRUE(set(folder_ / "in/sub", "user.note", "sub"));
    ASSERT_TRUE(set(folder_ / "elsewhere", "user.note", "elsewhere"));
    const Share share({(folder_ / "in").string()}, {.follow_links = true, .attributes = true});
    const auto note = [&](const char *path) {
        const auto &found = share.at(path).attributes.attributes;
        return found.empty() ? "" : found.front().value;
    };
    EXPECT_EQ(note("in"), "item");
    EXPECT_EQ(note("in/sub"), "sub");
    EXPECT_EQ(note("in/link"), "elsewhere");
    EXPECT_EQ(note("in/sub/file"), "");
    EXPECT_TRUE(found("in/sub", false).attributes.empty());
}

TEST_F(AttributeReader, SaysIfAFileHasMoreThanMayBeSent) {
    for (int number = 0; number < 64; ++number) {
        ASSERT_TRUE(set(folder_ / "in/file", "user.z" + std::to_string(number), "1"));
    }
    const ReadAttributes read = found("in/file");
    EXPECT_EQ(read.attributes.size(), kMaxFileAttributes);
    EXPECT_EQ(read.attributes.front().name, "note");
    EXPECT_TRUE(read.incomplete);
}

TEST_F(AttributeReader, FindsWhenAFileWasMade) {
    const auto file = folder_ / "in/file";
    struct statx status{};
    ASSERT_EQ(::statx(AT_FDCWD, file.c_str(), 0, STATX_BTIME, &status), 0);
    if ((status.stx_mask & STATX_BTIME) == 0) {
        GTEST_SKIP() << "this file system has no creation times";
    }
    make_old(file);
    EXPECT_EQ(found("in/file").created_ns,
              status.stx_btime.tv_sec * 1'000'000'000 + status.stx_btime.tv_nsec);
    EXPECT_EQ(found("in/file", false).created_ns, std::nullopt);
}

} // namespace
} // namespace thru::test
