// Links, special files, permissions and full disks where files are received.
#include "io/receive_folder.h"

#include <atomic>
#include <csignal>
#include <thread>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/disk.h"
#include "io/local_transfer.h"
#include "transfer/manifests.h"

namespace thru {
namespace {

using test::file;
using test::folder;
using test::manifest_of;
using test::segment_stream;
using test::snapshot;
using test::TemporaryFolder;
using test::write_file;
using test::write_segment;

using Tree = std::map<std::string, std::string>;

std::shared_ptr<ReceiveFolder> open_in(const std::filesystem::path &directory,
                                       std::shared_ptr<const ManifestTable> manifest) {
    return ReceiveFolder::open(directory.string(), std::move(manifest)).value();
}

unsigned mode_of(const std::filesystem::path &path) {
    struct stat status {};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    return status.st_mode & 07777u;
}

TEST(ReceiveFolder, NeverWritesThroughAPlantedLink) {
    const TemporaryFolder outer;
    write_file(outer / "outside/passwd", "theirs");
    std::filesystem::create_directories(outer / "in/real");
    std::filesystem::create_directory_symlink(outer / "outside", outer / "in/out");
    std::filesystem::create_directory_symlink("../../outside", outer / "in/real/up");
    const auto received = open_in(
        outer / "in", manifest_of({folder("out"), file("out/passwd", 4), file("out/large", 9),
                                   file("real/up/passwd", 4), folder("out/new"), file("ok", 2)}));
    EXPECT_EQ(received->make_folders().size(), 5u);
    const auto written = write_segment(
        received, segment_stream({{1, 0, 4}, {2, 0, 4}, {3, 0, 4}, {5, 0, 2}}, "evilevilevilok"));
    ASSERT_TRUE(written.result);
    ASSERT_EQ(written.writer->failures().size(), 3u);
    EXPECT_EQ(written.writer->failures()[0].error.code, ErrorCode::TargetNotWritable);
    EXPECT_EQ(snapshot(outer / "outside"), (Tree{{"passwd", "theirs"}}));
    EXPECT_EQ(test::read_file(outer / "in/ok"), "ok");
}

TEST(ReceiveFolder, GivesAnotherNameWhateverHasTheName) {
    const TemporaryFolder outer;
    write_file(outer / "outside", "theirs");
    std::filesystem::create_directory(outer / "in");
    std::filesystem::create_symlink("../outside", outer / "in/link");
    std::filesystem::create_symlink("../nowhere", outer / "in/dangling");
    std::filesystem::create_hard_link(outer / "outside", outer / "in/hard");
    ASSERT_EQ(::mkfifo((outer / "in/pipe").c_str(), 0600), 0);
    const auto received =
        open_in(outer / "in", manifest_of({file("link", 1), file("dangling", 1), file("hard", 1),
                                           file("pipe", 1), file("hard", 2)}));
    const auto written = write_segment(
        received, segment_stream({{0, 0, 1}, {1, 0, 1}, {2, 0, 1}, {3, 0, 1}, {4, 0, 1}}, "abcde"));
    ASSERT_TRUE(written.result);
    EXPECT_EQ(written.writer->renamed(), 4u);
    ASSERT_TRUE(write_segment(received, segment_stream({{4, 1, 1}}, "f")).result);
    EXPECT_EQ(received->name_file(4), true);
    EXPECT_EQ(test::read_file(outer / "outside"), "theirs");
    EXPECT_FALSE(std::filesystem::exists(outer / "nowhere"));
    EXPECT_EQ(test::read_file(outer / "in/link (2)"), "a");
    EXPECT_EQ(test::read_file(outer / "in/dangling (2)"), "b");
    EXPECT_EQ(test::read_file(outer / "in/hard (2)"), "c");
    EXPECT_EQ(test::read_file(outer / "in/pipe (2)"), "d");
    EXPECT_EQ(test::read_file(outer / "in/hard (3)"), "ef");
}

TEST(ReceiveFolder, FollowsTheLinkThatTheUserChose) {
    const TemporaryFolder outer;
    std::filesystem::create_directory(outer / "real");
    std::filesystem::create_directory_symlink("real", outer / "chosen");
    const auto received = open_in(outer / "chosen", manifest_of({file("a", 1)}));
    ASSERT_TRUE(write_segment(received, segment_stream({{0, 0, 1}}, "x")).result);
    EXPECT_EQ(snapshot(outer / "real"), (Tree{{"a", "x"}}));
}

TEST(ReceiveFolder, StaysInTheFolderThatWasOpened) {
    const TemporaryFolder outer;
    std::filesystem::create_directories(outer / "outside");
    const auto received = open_in(outer / "in", manifest_of({folder("f"), file("f/a", 1)}));
    EXPECT_TRUE(received->make_folders().empty());
    std::filesystem::rename(outer / "in", outer / "moved");
    std::filesystem::create_directory_symlink("outside", outer / "in");
    ASSERT_TRUE(write_segment(received, segment_stream({{1, 0, 1}}, "x")).result);
    EXPECT_EQ(test::read_file(outer / "moved/f/a"), "x");
    EXPECT_TRUE(snapshot(outer / "outside").empty());
}

TEST(ReceiveFolder, WritesNothingOutsideWhileALinkComesAndGoes) {
    const TemporaryFolder outer;
    std::filesystem::create_directories(outer / "in/parent");
    std::filesystem::create_directory(outer / "outside");
    std::filesystem::create_directory_symlink("../outside", outer / "in/link");
    std::atomic<bool> stop = false;
    std::thread racer([&] {
        const std::string parent = (outer / "in/parent").string();
        const std::string link = (outer / "in/link").string();
        const std::string aside = (outer / "in/aside").string();
        while (!stop) {
            static_cast<void>(std::rename(parent.c_str(), aside.c_str()));
            static_cast<void>(std::rename(link.c_str(), parent.c_str()));
            static_cast<void>(std::rename(parent.c_str(), link.c_str()));
            static_cast<void>(std::rename(aside.c_str(), parent.c_str()));
        }
    });
    const auto received =
        open_in(outer / "in", manifest_of({file("parent/small", 1), file("parent/large", 2)}));
    for (int round = 0; round < 250; ++round) {
        EXPECT_TRUE(write_segment(received, segment_stream({{0, 0, 1}, {1, 0, 1}}, "xy")).result);
        static_cast<void>(received->make_folders());
    }
    received->discard_parts();
    stop = true;
    racer.join();
    EXPECT_TRUE(snapshot(outer / "outside").empty());
}

TEST(ReceiveFolder, GivesPermissionsThatTheUmaskAllows) {
    const TemporaryFolder target;
    const ManifestEntry tool{.executable = true, .path = "tool", .size = 1, .mtime_ns = 0};
    const mode_t before = ::umask(0027);
    const auto received = open_in(target.path(), manifest_of({tool, file("plain", 2)}));
    ::umask(before);
    ASSERT_TRUE(write_segment(received, segment_stream({{0, 0, 1}, {1, 0, 1}}, "ab")).result);
    EXPECT_EQ(mode_of(target / "tool"), 0750u);
    for (const auto &entry : std::filesystem::directory_iterator(target.path())) {
        if (entry.path().filename().string().starts_with(".~thru-")) {
            EXPECT_EQ(mode_of(entry.path()), 0600u);
        }
    }
    ASSERT_TRUE(write_segment(received, segment_stream({{1, 1, 1}}, "c")).result);
    EXPECT_EQ(received->name_file(1), false);
    EXPECT_EQ(mode_of(target / "plain"), 0640u);
}

TEST(ReceiveFolder, SaysWhenTheTargetCannotBeWritten) {
    const TemporaryFolder target;
    // Nobody makes files there, root neither.
    const auto refused = ReceiveFolder::open("/proc/self/new", manifest_of({file("a", 1)}));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::TargetNotWritable);
    EXPECT_NE(refused.error().cause, 0);
    const auto existing = ReceiveFolder::open("/proc/self", manifest_of({file("a", 1)}));
    ASSERT_FALSE(existing);
    EXPECT_EQ(existing.error().code, ErrorCode::TargetNotWritable);
}

/// Files of this process may not grow beyond a limit: every system can refuse a write so.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
        EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
    }
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    FileSizeLimit(const FileSizeLimit &) = delete;
    FileSizeLimit &operator=(const FileSizeLimit &) = delete;

private:
    rlimit before_{};
    void (*handler_)(int) = nullptr;
};

TEST(ReceiveFolder, GoesOnWhenOneFileIsTooLargeForTheFileSystem) {
    const TemporaryFolder target;
    const auto received =
        open_in(target.path(), manifest_of({file("a", 10), file("b", 60'000), file("c", 10)}));
    const FileSizeLimit limit(50'000);
    const auto written = write_segment(
        received, segment_stream({{0, 0, 10}, {1, 0, 60'000}, {2, 0, 10}}, test::noise(60'020, 1)),
        7000);
    ASSERT_TRUE(written.result);
    EXPECT_TRUE(written.writer->complete());
    ASSERT_EQ(written.writer->failures().size(), 1u);
    EXPECT_EQ(written.writer->failures()[0].index, 1u);
    EXPECT_EQ(written.writer->failures()[0].error.code, ErrorCode::TargetNotWritable);
    EXPECT_EQ(written.writer->failures()[0].error.cause, EFBIG);
    EXPECT_EQ(snapshot(target.path()).size(), 2u);
}

} // namespace
} // namespace thru
