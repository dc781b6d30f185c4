// Records that are forged or dropped, and changes that hide behind them or come at the last moment.
#include <cerrno>

#include <sys/stat.h>
#include <sys/xattr.h>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "target/existing/existing_files.h"
#include "target/existing/sender_record.h"

namespace thru::test {
namespace {

constexpr const char *kAttribute = "user.thruflux.sender";
constexpr std::int64_t kStepNs = 250'000'000;

class SenderRecordAttribute : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(manifest_.add({.path = "report", .size = 3}));
        write_file(folder_ / "report", "one");
        records_.write(root_, "report", status(), manifest_, 0);
        if (::getxattr(path().c_str(), kAttribute, nullptr, 0) < 0 && errno == ENOTSUP) {
            GTEST_SKIP() << "this file system has no extended attributes";
        }
        ASSERT_TRUE(covers(status()));
    }

    std::string path() const { return (folder_ / "report").string(); }
    fs::FileStatus status() const { return *fs::status_beneath(root_, "report"); }
    bool covers(const fs::FileStatus &file) const {
        return records_.cover(root_, "report", file, "report");
    }

    TemporaryFolder folder_;
    fs::FileHandle root_ = *fs::open_folder(folder_.path().string());
    ManifestTable manifest_;
    SenderRecords records_{record_key({}, OriginId{1})};
};

TEST_F(SenderRecordAttribute, IsShortAndCoversOnePath) {
    EXPECT_EQ(::getxattr(path().c_str(), kAttribute, nullptr, 0), 16);
    EXPECT_FALSE(records_.cover(root_, "report", status(), "other"));
    EXPECT_FALSE(SenderRecords(std::nullopt).cover(root_, "report", status(), "report"));
}

TEST_F(SenderRecordAttribute, ShowsAChangeThatKeepsSizeAndTime) {
    const fs::FileStatus before = status();
    fs::FileStatus later = before;
    // Tools restore the modification time; the change time continues.
    later.ctime_ns += 2 * kStepNs;
    EXPECT_FALSE(covers(later));
    fs::FileStatus earlier = before;
    earlier.ctime_ns -= 2 * kStepNs;
    EXPECT_FALSE(covers(earlier)) << "the clock was set back";
}

TEST_F(SenderRecordAttribute, ShowsAnotherSizeTimeOrFile) {
    for (const auto change : {+[](fs::FileStatus &file) { ++file.size; },
                              +[](fs::FileStatus &file) { ++file.mtime_ns; },
                              +[](fs::FileStatus &file) { ++file.id.number; },
                              +[](fs::FileStatus &file) { file.type = fs::FileType::Link; }}) {
        fs::FileStatus file = status();
        change(file);
        EXPECT_FALSE(covers(file));
    }
}

TEST_F(SenderRecordAttribute, CannotBeForgedWithoutTheKey) {
    const SenderRecords other(record_key({}, OriginId{2}));
    other.write(root_, "report", status(), manifest_, 0);
    EXPECT_FALSE(covers(status()));
    for (const std::string &value :
         {std::string(), std::string(15, 'x'), std::string(16, 'x'), std::string(2'000, 'x')}) {
        ASSERT_EQ(::setxattr(path().c_str(), kAttribute, value.data(), value.size(), 0), 0);
        EXPECT_FALSE(covers(status()));
    }
}

TEST_F(SenderRecordAttribute, IsNotWrittenForAFileThatWasReplaced) {
    const fs::FileStatus published = status();
    write_file(folder_ / "report", "another");
    ASSERT_EQ(::removexattr(path().c_str(), kAttribute), 0);
    records_.write(root_, "report", published, manifest_, 0);
    EXPECT_FALSE(covers(status()));
}

TEST_F(SenderRecordAttribute, NeedsAFileSystemWithAttributes) {
    ASSERT_EQ(::removexattr(path().c_str(), kAttribute), 0);
    EXPECT_FALSE(covers(status()));
    const auto system = fs::open_folder("/proc/self");
    ASSERT_TRUE(system);
    const auto file = fs::open_beneath_for_reading(*system, "comm");
    ASSERT_TRUE(file);
    EXPECT_FALSE(fs::set_sender_record(*file, Bytes(16)));
}

class ReplaceUntouched : public testing::Test {
protected:
    void SetUp() override {
        write_file(folder_ / "report", "first");
        write_file(folder_ / "part", "new");
        before_ = *fs::status_beneath(root_, "report");
    }
    auto replace() { return replace_untouched(root_, "part", "report", before_); }
    void expect_both(const std::string &existing) {
        const auto replaced = replace();
        ASSERT_FALSE(replaced);
        EXPECT_EQ(replaced.error().kind, fs::ErrorKind::Exists);
        EXPECT_EQ(read_file(folder_ / "report"), existing);
        EXPECT_EQ(read_file(folder_ / "part"), "new");
    }

    TemporaryFolder folder_;
    fs::FileHandle root_ = *fs::open_folder(folder_.path().string());
    fs::FileStatus before_;
};

TEST_F(ReplaceUntouched, LeavesOneFile) {
    ASSERT_TRUE(replace());
    EXPECT_EQ(read_file(folder_ / "report"), "new");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "part"));
}

TEST_F(ReplaceUntouched, KeepsAnEditAtTheLastMoment) {
    write_file(folder_ / "report", "edited");
    expect_both("edited");
}

TEST_F(ReplaceUntouched, KeepsAFileSavedByRename) {
    write_file(folder_ / "saved", "first");
    std::filesystem::rename(folder_ / "saved", folder_ / "report");
    expect_both("first");
}

TEST_F(ReplaceUntouched, KeepsAFileWithASecondName) {
    std::filesystem::create_hard_link(folder_ / "report", folder_ / "second");
    expect_both("first");
}

TEST_F(ReplaceUntouched, KeepsALinkInItsPlace) {
    std::filesystem::rename(folder_ / "report", folder_ / "moved");
    std::filesystem::create_symlink("moved", folder_ / "report");
    expect_both("first");
    EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "report"));
}

} // namespace
} // namespace thru::test
