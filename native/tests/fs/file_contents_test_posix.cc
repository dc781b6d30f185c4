// Operations on an open file: size, holes, lock, sync.
#include <algorithm>
#include <csignal>

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <gtest/gtest.h>
#include <unistd.h>

#include "fs/direct_writer.h"
#include "fs/disk.h"
#include "fs/file_system_posix.h"
#include "fs/read_ahead.h"
#include "fs/writeback.h"
#include "support/sizes.h"

namespace thru::test {
namespace {

class FileContents : public testing::Test {
protected:
    fs::FileHandle create(const std::string &name) {
        return fs::create_file(root_, name, fs::kPlainMode).value();
    }

    TemporaryFolder folder_;
    fs::FileHandle root_ = fs::open_folder(folder_.path().string()).value();
};

TEST_F(FileContents, WhatIsWrittenCanBeReadBackThroughTheSameHandle) {
    const auto created = create("file");
    ASSERT_TRUE(fs::write_at(created, 2, as_bytes("content")));
    const auto reopened = fs::open_for_writing(root_, "file");
    ASSERT_TRUE(reopened);
    for (const fs::FileHandle *file : {&created, &*reopened}) {
        Bytes read(20);
        ASSERT_EQ(fs::read_at(*file, 0, read), 9u);
        EXPECT_EQ(as_text(ByteView(read).first(9)), std::string_view("\0\0content", 9));
    }
}

TEST_F(FileContents, SyncedAndForgottenFilesAreStillThere) {
    const auto file = create("file");
    const std::string content = test::noise(3 * kMiB, 1);
    ASSERT_TRUE(fs::write_at(file, 0, as_bytes(content)));
    ASSERT_TRUE(fs::sync_data(file));
    fs::drop_cache(file);
    fs::read_ahead(file, 1 * kMiB, kMiB);
    EXPECT_TRUE(read_file(folder_ / "file") == content);
}

TEST_F(FileContents, DirectWritesAreSeenBetweenOthers) {
    const auto file = create("file");
    const auto direct = fs::DirectWriter::of(file);
    if (!direct) {
        GTEST_SKIP() << "not on this file system";
    }
    const std::string content = test::noise(5 * kMiB, 1);
    std::size_t begin = 0;
    // Unaligned, longer than its memory, aligned, and too short.
    for (const std::size_t end :
         {100UL, 100 + 3 * kMiB / 2, 3 * kMiB, 4 * kMiB, 4 * kMiB + 5000, 5 * kMiB}) {
        ASSERT_TRUE(direct->write(file, begin, as_bytes(content).subspan(begin, end - begin)));
        begin = end;
    }
    EXPECT_TRUE(read_file(folder_ / "file") == content);
    ASSERT_TRUE(direct->write(file, kMiB + 1, as_bytes(content).first(kMiB)));
    EXPECT_TRUE(read_file(folder_ / "file").substr(kMiB + 1, kMiB) == content.substr(0, kMiB));
    const auto blind = fs::open_direct(file);
    ASSERT_TRUE(blind);
    EXPECT_FALSE(fs::write_at(*blind, 1, as_bytes(content).first(100))) << "it is no direct one";
}

TEST_F(FileContents, SyncsOfWhatIsNoFileFail) {
    int ends[2] = {};
    ASSERT_EQ(::pipe(ends), 0);
    const fs::FileHandle read_end(ends[0]);
    const fs::FileHandle write_end(ends[1]);
    EXPECT_FALSE(fs::sync_data(write_end));
    EXPECT_FALSE(fs::sync_folder(write_end));
    EXPECT_FALSE(fs::set_size(write_end, 0));
}

TEST_F(FileContents, SizesGrowByAHoleAndShrink) {
    const auto file = create("file");
    ASSERT_TRUE(fs::write_at(file, 0, as_bytes("content")));
    ASSERT_TRUE(fs::set_size(file, 10));
    EXPECT_EQ(read_file(folder_ / "file"), std::string("content\0\0\0", 10));
    ASSERT_TRUE(fs::set_size(file, 3));
    EXPECT_EQ(read_file(folder_ / "file"), "con");
    EXPECT_EQ(fs::status_of(file)->size, 3u);
}

TEST_F(FileContents, ReservedSpaceIsTakenBeforeThereIsData) {
    const auto full = create("full");
    ASSERT_TRUE(fs::reserve(full, 0, kMiB));
    EXPECT_EQ(fs::status_of(full)->size, 0u);
    EXPECT_GE(fs::status_of(full)->allocated, kMiB);
}

TEST_F(FileContents, FilesWithoutHolesAreOneRun) {
    const auto file = create("file");
    EXPECT_EQ(fs::next_data(file, 0)->end, 0u);
    ASSERT_TRUE(fs::write_at(file, 0, as_bytes("content")));
    EXPECT_EQ(fs::next_data(file, 0)->begin, 0u);
    EXPECT_EQ(fs::next_data(file, 0)->end, 7u);
    EXPECT_EQ(fs::next_data(file, 3)->begin, 3u);
}

TEST_F(FileContents, LocksKeepOutOtherHandlesUntilClosed) {
    auto first = create("file");
    const auto second = fs::open_for_writing(root_, "file").value();
    const auto reader = fs::open_beneath_for_reading(root_, "file").value();
    EXPECT_EQ(fs::try_lock(first), true);
    EXPECT_EQ(fs::try_lock(first), true);
    EXPECT_EQ(fs::try_lock(second), false);
    EXPECT_EQ(fs::try_lock(reader), false);
    ASSERT_TRUE(first.close());
    EXPECT_EQ(fs::try_lock(second), true);
    EXPECT_EQ(fs::try_lock(reader), false);
}

TEST_F(FileContents, LocksOfAKilledProcessAreFree) {
    const auto file = create("file");
    int ready[2] = {};
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        const auto mine = fs::open_for_writing(root_, "file");
        const char locked = mine && fs::try_lock(*mine).value_or(false) ? 'y' : 'n';
        static_cast<void>(::write(ready[1], &locked, 1));
        for (;;) {
            ::pause();
        }
    }
    char locked = 0;
    EXPECT_EQ(::read(ready[0], &locked, 1), 1);
    EXPECT_EQ(locked, 'y');
    EXPECT_EQ(fs::try_lock(file), false);
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    EXPECT_EQ(fs::try_lock(file), true);
    ::close(ready[0]);
    ::close(ready[1]);
}

TEST_F(FileContents, ChangesOfAttributesShowInTheChangeTime) {
    const auto file = create("file");
    const std::int64_t created = fs::status_of(file)->ctime_ns;
    fs::set_attributes(file, 1'000'000'000, fs::kPrivateMode);
    EXPECT_EQ(fs::status_of(file)->mtime_ns, 1'000'000'000);
    EXPECT_GE(fs::status_of(file)->ctime_ns, created);
}

TEST_F(FileContents, ALimitOfTheProcessBoundsWhatAFileMayHold) {
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit lower{.rlim_cur = kMiB, .rlim_max = before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &lower), 0);
    const auto handler = ::signal(SIGXFSZ, SIG_IGN);
    const auto facts = fs::volume_facts(root_);
    const auto written = fs::write_at(create("file"), kMiB, as_bytes("x"));
    ::signal(SIGXFSZ, handler);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_EQ(facts->max_file_bytes, kMiB);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().kind, fs::ErrorKind::TooLarge);
    EXPECT_GT(fs::volume_facts(root_)->max_file_bytes, kMiB);
}

TEST_F(FileContents, SocketsAreRefusedAndNotGone) {
    const fs::FileHandle socket(::socket(AF_UNIX, SOCK_STREAM, 0));
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    const std::string path = (folder_ / "socket").string();
    ASSERT_LT(path.size(), sizeof(address.sun_path));
    path.copy(address.sun_path, path.size());
    ASSERT_EQ(::bind(fs::descriptor(socket), reinterpret_cast<const sockaddr *>(&address),
                     sizeof(address)),
              0);
    EXPECT_EQ(fs::open_for_reading(path).error().kind, fs::ErrorKind::Refused);
    EXPECT_EQ(fs::open_for_writing(root_, "socket").error().kind, fs::ErrorKind::Refused);
    EXPECT_EQ(fs::open_beneath_for_reading(root_, "socket").error().kind, fs::ErrorKind::Refused);
}

struct Meaning {
    int number;
    ErrorCode writing;
    ErrorCode reading;
};

TEST(SystemErrors, MeanTheSameWhereverTheyComeFrom) {
    const Meaning meanings[] = {
        {ENOSPC, ErrorCode::DiskFull, ErrorCode::PathUnreadable},
        {EDQUOT, ErrorCode::DiskFull, ErrorCode::PathUnreadable},
        {EFBIG, ErrorCode::FileTooLarge, ErrorCode::PathUnreadable},
        {EIO, ErrorCode::DiskIo, ErrorCode::DiskIo},
        {ENODEV, ErrorCode::TargetGone, ErrorCode::DiskIo},
        {ENXIO, ErrorCode::TargetGone, ErrorCode::DiskIo},
        {ESTALE, ErrorCode::TargetGone, ErrorCode::DiskIo},
        {EHOSTDOWN, ErrorCode::TargetGone, ErrorCode::DiskIo},
        {ENOTCONN, ErrorCode::TargetGone, ErrorCode::DiskIo},
        {EROFS, ErrorCode::TargetNotWritable, ErrorCode::PathUnreadable},
        {EACCES, ErrorCode::TargetNotWritable, ErrorCode::PathUnreadable},
        {ENOENT, ErrorCode::TargetNotWritable, ErrorCode::PathNotFound},
        {ENAMETOOLONG, ErrorCode::NameNotAllowed, ErrorCode::NameNotAllowed},
    };
    for (const auto &[number, writing, reading] : meanings) {
        const Error error = fs::writing_error(fs::error_of(number), "write");
        EXPECT_EQ(error.code, writing) << number;
        EXPECT_EQ(error.cause, number);
        EXPECT_EQ(error.detail, "write");
        EXPECT_EQ(fs::reading_error(fs::error_of(number), "").code, reading) << number;
    }
}

} // namespace
} // namespace thru::test
