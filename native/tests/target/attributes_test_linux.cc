// Extended attributes of received files.
#include <sys/xattr.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "target/fake_sender.h"

namespace thru::test {
namespace {

/// Empty if the file has no such attribute.
std::string value_of(const std::filesystem::path &path, const char *name) {
    std::string value(256, '\0');
    const auto length = ::getxattr(path.c_str(), name, value.data(), value.size());
    value.resize(length < 0 ? 0 : static_cast<std::size_t>(length));
    return value;
}

class ReceivedAttributes : public testing::Test {
protected:
    void SetUp() override {
        write_file(folder_ / "probe", "");
        if (::setxattr((folder_ / "probe").c_str(), "user.probe", "1", 1, 0) != 0) {
            GTEST_SKIP() << "this file system has no extended attributes";
        }
        offered_.file("small", "content");
        offered_.file("large", bytes_of(100'000, 1));
        options_.receive.keep_attributes = true;
    }
    void offer(std::vector<FileAttributes> files) const {
        offered_.manifest->set_attributes(std::move(files));
    }
    Attempt receive() const {
        Attempt attempt(offered_, (folder_ / "in").string(), options_);
        EXPECT_TRUE(attempt.run());
        EXPECT_EQ(snapshot(folder_ / "in"), offered_.expected());
        return attempt;
    }

    TemporaryFolder folder_;
    Offered offered_;
    SendOptions options_;
};

TEST_F(ReceivedAttributes, AreThoseOfTheSenderBesidesTheReceiversMark) {
    options_.sender = "Mina";
    offer({{0, {{"com.apple.FinderInfo", std::string("\0\1", 2)}, {"note", "hello"}}},
           {1, {{"note", "large"}}}});
    EXPECT_TRUE(receive().lost_attributes.empty());
    EXPECT_EQ(value_of(folder_ / "in/small", "user.note"), "hello");
    EXPECT_EQ(value_of(folder_ / "in/small", "user.com.apple.FinderInfo"), std::string("\0\1", 2));
    EXPECT_EQ(value_of(folder_ / "in/large", "user.note"), "large");
    for (const char *name : {"in/small", "in/large"}) {
        EXPECT_EQ(value_of(folder_ / name, "user.xdg.origin.url"), "thruflux:received?from=Mina");
        EXPECT_EQ(mtime_of(folder_ / name), 1'000);
    }
}

TEST_F(ReceivedAttributes, AreNotWrittenUnlessTheyAreWanted) {
    options_.receive.keep_attributes = false;
    offer({{0, {{"note", "hello"}}}});
    EXPECT_TRUE(receive().lost_attributes.empty());
    EXPECT_EQ(value_of(folder_ / "in/small", "user.note"), "");
}

TEST_F(ReceivedAttributes, HaveNoNameThatASenderMayNotChoose) {
    options_.sender = "Mina";
    offer({{0,
            {{"note", "hello"},
             {"security.capability", "1"},
             {"system.posix_acl_access", "1"},
             {"thruflux.sender", "forged"},
             {"trusted.x", "1"},
             {"user.", "1"},
             {"xdg.origin.url", "https://trusted.example"}}}});
    const auto lost = receive().lost_attributes;
    ASSERT_EQ(lost.size(), 1U);
    EXPECT_EQ(lost.at(0).code, ErrorCode::AttributesLeftOut);
    std::string names(4096, '\0');
    const auto length = ::listxattr((folder_ / "in/small").c_str(), names.data(), names.size());
    ASSERT_GT(length, 0);
    names.resize(static_cast<std::size_t>(length));
    for (const char *name :
         {"security.capability", "system.", "trusted.", "user.user.", "user.thruflux.sender"}) {
        EXPECT_FALSE(names.contains(name)) << name;
    }
    EXPECT_EQ(value_of(folder_ / "in/small", "user.note"), "hello");
    EXPECT_EQ(value_of(folder_ / "in/small", "user.xdg.origin.url"), "thruflux:received?from=Mina");
}

TEST_F(ReceivedAttributes, ThatCannotBeStoredAreReportedAndCostNothingElse) {
    // The system takes 255 bytes with `user.` in front.
    offer({{0, {{"note", "hello"}, {std::string(255, 'x'), "1"}}}, {1, {{"note", "large"}}}});
    const auto lost = receive().lost_attributes;
    ASSERT_EQ(lost.size(), 1U);
    EXPECT_EQ(lost.at(0).code, ErrorCode::AttributesLeftOut);
    EXPECT_EQ(value_of(folder_ / "in/small", "user.note"), "hello");
    EXPECT_EQ(value_of(folder_ / "in/large", "user.note"), "large");
}

TEST_F(ReceivedAttributes, LeaveRoomForTheReceiversMark) {
    options_.sender = "Mina";
    // They fill what a file system has for one file, to the last byte, if that is less than 60 KiB.
    std::vector<ExtendedAttribute> most;
    for (std::size_t size = 16'384; size > 0; size /= 2) {
        for (const char *name : {"a", "b"}) {
            most.push_back(
                {name + std::to_string(size), std::string(size == 16'384 ? 1 : size, 'x')});
        }
    }
    std::ranges::sort(most, {}, &ExtendedAttribute::name);
    offer({{0, most}, {1, most}});
    receive();
    for (const char *name : {"in/small", "in/large"}) {
        EXPECT_EQ(value_of(folder_ / name, "user.xdg.origin.url"), "thruflux:received?from=Mina");
    }
}

TEST_F(ReceivedAttributes, MakeNoFileAnAlias) {
    std::string info(32, '\0');
    info[8] = '\x80';
    offer({{0, {{"com.apple.FinderInfo", info}, {"note", "hello"}}}});
    EXPECT_EQ(receive().lost_attributes.size(), 1U);
    EXPECT_EQ(value_of(folder_ / "in/small", "user.com.apple.FinderInfo"), "");
    EXPECT_EQ(value_of(folder_ / "in/small", "user.note"), "hello");
}

TEST_F(ReceivedAttributes, ThatAreLostInManyFilesAreReportedForAFew) {
    std::vector<FileAttributes> files;
    for (std::uint32_t number = 2; number < 40; ++number) {
        offered_.file("file" + std::to_string(number), "1");
        files.push_back({number, {{"security.capability", "1"}}});
    }
    offer(files);
    EXPECT_EQ(receive().lost_attributes.size(), 20U);
}

TEST_F(ReceivedAttributes, OfPresentFilesWithOtherNamesOrForFinderAreNotAdded) {
    receive();
    std::filesystem::create_hard_link(folder_ / "in/small", folder_ / "outside");
    options_.receive.conflict = ConflictPolicy::Update;
    const std::vector<ExtendedAttribute> both = {{"com.apple.FinderInfo", std::string(32, '\1')},
                                                 {"note", "hello"}};
    offer({{0, both}, {1, both}});
    receive();
    EXPECT_EQ(value_of(folder_ / "outside", "user.note"), "");
    EXPECT_EQ(value_of(folder_ / "in/large", "user.note"), "hello");
    EXPECT_EQ(value_of(folder_ / "in/large", "user.com.apple.FinderInfo"), "");
}

TEST_F(ReceivedAttributes, AreAddedToPresentFilesThatWouldBeReplaced) {
    receive();
    options_.receive.mark = false;
    offer({{0, {{"note", "hello"}}}, {1, {{"note", "large"}}}});
    EXPECT_EQ(receive().bytes_sent, 0U);
    EXPECT_EQ(value_of(folder_ / "in/small", "user.note"), "");
    options_.receive.conflict = ConflictPolicy::Update;
    EXPECT_EQ(receive().bytes_sent, 0U);
    EXPECT_EQ(value_of(folder_ / "in/small", "user.note"), "hello");
    EXPECT_EQ(value_of(folder_ / "in/large", "user.note"), "large");
    EXPECT_EQ(mtime_of(folder_ / "in/small"), 1'000);
}

/// An offered folder with a file, and attributes of both.
class ReceivedFolderAttributes : public ReceivedAttributes {
protected:
    void SetUp() override {
        ReceivedAttributes::SetUp();
        offered_.folder("sub");
        offered_.file("sub/file", "content");
        offer({{2, {{"com.apple.FinderInfo", std::string(32, '\1')}, {"note", "sub"}}},
               {3, {{"note", "file"}}}});
    }
    std::string note(const char *path) const { return value_of(folder_ / path, "user.note"); }
};

TEST_F(ReceivedFolderAttributes, AreThoseOfTheSender) {
    EXPECT_TRUE(receive().lost_attributes.empty());
    EXPECT_EQ(note("in/sub"), "sub");
    EXPECT_EQ(note("in/sub/file"), "file");
    EXPECT_EQ(value_of(folder_ / "in/sub", "user.com.apple.FinderInfo"), std::string(32, '\1'));
    EXPECT_EQ(value_of(folder_ / "in/sub", "user.xdg.origin.url"), "");
    EXPECT_EQ(mtime_of(folder_ / "in/sub"), 2'000);
}

TEST_F(ReceivedFolderAttributes, AreKeptAfterAnInterruption) {
    options_.max_segments = 1;
    Attempt interrupted(offered_, (folder_ / "in").string(), options_);
    EXPECT_FALSE(interrupted.run());
    interrupted.folder->suspend();
    options_.max_segments = ~std::size_t{0};
    receive();
    EXPECT_EQ(note("in/sub"), "sub");
    EXPECT_EQ(value_of(folder_ / "in/sub", "user.com.apple.FinderInfo"), std::string(32, '\1'));
}

TEST_F(ReceivedFolderAttributes, AreAlsoThoseOfFoldersMadeForFiles) {
    offered_.folder("sub/deep");
    offered_.folder("sub/empty");
    offered_.file("sub/deep/file", "content");
    offer({{2, {{"note", "sub"}}}, {4, {{"note", "deep"}}}, {5, {{"note", "empty"}}}});
    options_.receive.make_empty_folders = false;
    Attempt attempt(offered_, (folder_ / "in").string(), options_);
    EXPECT_TRUE(attempt.run());
    EXPECT_EQ(note("in/sub"), "sub");
    EXPECT_EQ(note("in/sub/deep"), "deep");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "in/sub/empty"));
}

TEST_F(ReceivedFolderAttributes, AreNotWrittenUnlessTheyAreWanted) {
    options_.receive.keep_attributes = false;
    receive();
    EXPECT_EQ(note("in/sub"), "");
}

TEST_F(ReceivedFolderAttributes, AreAddedToAnExistingFolderOnlyWithUpdatesAndNotForFinder) {
    std::filesystem::create_directories(folder_ / "in/sub");
    receive();
    EXPECT_EQ(note("in/sub"), "");
    options_.receive.conflict = ConflictPolicy::Update;
    receive();
    EXPECT_EQ(note("in/sub"), "sub");
    EXPECT_EQ(value_of(folder_ / "in/sub", "user.com.apple.FinderInfo"), "");
}

TEST_F(ReceivedFolderAttributes, ThatCannotBeStoredAreReported) {
    offer({{2, {{"note", "sub"}, {"security.capability", "1"}}}});
    const auto lost = receive().lost_attributes;
    ASSERT_EQ(lost.size(), 1U);
    EXPECT_EQ(lost.at(2).code, ErrorCode::AttributesLeftOut);
    EXPECT_EQ(note("in/sub"), "sub");
}

} // namespace
} // namespace thru::test
