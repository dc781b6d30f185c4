// Links, special files, permissions and full disks in target folders.
#include "support/prepare_folder.h"
#include "target/receive_folder.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <thread>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fs/disk.h"
#include "target/local_transfer.h"
#include "transfer/manifests.h"

namespace thru::test {
namespace {

using Tree = std::map<std::string, std::string>;

unsigned mode_of(const std::filesystem::path &path) {
    struct stat status{};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    return status.st_mode & 07777u;
}

Prepared prepare_in(const std::filesystem::path &directory,
                    const std::shared_ptr<ManifestTable> &manifest,
                    std::shared_ptr<ReceiveFolder> &folder) {
    folder = ReceiveFolder::open(directory.string(), manifest, {}, {}).value();
    return test::prepare(*folder, 0, manifest->size(), {}).value();
}

TEST(ReceiveFolder, NeverWritesThroughAPlantedLink) {
    const TemporaryFolder outer;
    write_file(outer / "outside/passwd", "theirs");
    std::filesystem::create_directories(outer / "in/real");
    std::filesystem::create_directory_symlink(outer / "outside", outer / "in/out");
    std::filesystem::create_directory_symlink("../../outside", outer / "in/real/up");
    std::shared_ptr<ReceiveFolder> received;
    const Prepared prepared =
        prepare_in(outer / "in",
                   manifest_of({folder("out"), file("out/passwd", 4), file("out/large", 9),
                                file("real/up/passwd", 4), folder("out/new"), file("ok", 2)}),
                   received);
    EXPECT_EQ(prepared.failures.size(), 5u);
    const auto written =
        write_segment(received, segment_stream({{1, 0, 4}, {3, 0, 4}, {5, 0, 2}}, "evilevilok"));
    ASSERT_TRUE(written.result);
    ASSERT_EQ(written.writer->failures().size(), 2u);
    EXPECT_EQ(written.writer->failures()[0].error.code, ErrorCode::TargetNotWritable);
    EXPECT_EQ(
        write_segment(received, segment_stream({{2, 0, 4}}, "evil")).writer->failures().size(), 1u);
    received->add_complete({5});
    EXPECT_EQ(received->commit().published.size(), 1u);
    EXPECT_EQ(snapshot(outer / "outside"), (Tree{{"passwd", "theirs"}}));
    EXPECT_EQ(test::read_file(outer / "in/ok"), "ok");
}

TEST(ReceiveFolder, AFolderReplacedByALinkIsNotADiskThatLosesData) {
    const TemporaryFolder outer;
    std::filesystem::create_directories(outer / "in/folder");
    std::filesystem::create_directory(outer / "outside");
    const auto received = open_in(outer / "in", manifest_of({file("folder/a", 4)}));
    for (int times = 0; times < 3; ++times) {
        ASSERT_TRUE(write_segment(received, segment_stream({{0, 0, 4}}, "good")).result);
        std::filesystem::rename(outer / "in/folder", outer / "in/aside");
        std::filesystem::create_directory_symlink("../outside", outer / "in/folder");
        received->add_complete({0});
        const CommitResult result = received->commit();
        EXPECT_FALSE(result.fatal);
        EXPECT_EQ(result.unsynced.size(), 1u);
        EXPECT_TRUE(result.published.empty());
        std::filesystem::remove(outer / "in/folder");
        std::filesystem::rename(outer / "in/aside", outer / "in/folder");
    }
    EXPECT_TRUE(std::filesystem::is_empty(outer / "outside"));
    receive(received, {{0, 0, 4}}, "good");
    EXPECT_EQ(test::read_file(outer / "in/folder/a"), "good");
}

TEST(ReceiveFolder, GivesAnotherNameWhateverHasTheName) {
    const TemporaryFolder outer;
    write_file(outer / "outside", "theirs");
    std::filesystem::create_directory(outer / "in");
    std::filesystem::create_symlink("../outside", outer / "in/link");
    std::filesystem::create_symlink("../nowhere", outer / "in/dangling");
    std::filesystem::create_hard_link(outer / "outside", outer / "in/hard");
    ASSERT_EQ(::mkfifo((outer / "in/pipe").c_str(), 0600), 0);
    const auto received = open_in(outer / "in", manifest_of({file("link", 1), file("dangling", 1),
                                                             file("hard", 1), file("pipe", 1)}));
    const CommitResult result =
        receive(received, {{0, 0, 1}, {1, 0, 1}, {2, 0, 1}, {3, 0, 1}}, "abcd");
    EXPECT_TRUE(std::ranges::all_of(result.published, &CommitResult::Published::renamed));
    EXPECT_EQ(result.published.size(), 4u);
    EXPECT_EQ(test::read_file(outer / "outside"), "theirs");
    EXPECT_FALSE(std::filesystem::exists(outer / "nowhere"));
    EXPECT_EQ(test::read_file(outer / "in/link (2)"), "a");
    EXPECT_EQ(test::read_file(outer / "in/dangling (2)"), "b");
    EXPECT_EQ(test::read_file(outer / "in/hard (2)"), "c");
    EXPECT_EQ(test::read_file(outer / "in/pipe (2)"), "d");
}

TEST(ReceiveFolder, ReplacesNamesAndNeverWhatTheyLeadTo) {
    const TemporaryFolder outer;
    write_file(outer / "outside", "theirs");
    std::filesystem::create_directories(outer / "in/folder");
    std::filesystem::create_symlink("../outside", outer / "in/link");
    std::filesystem::create_hard_link(outer / "outside", outer / "in/hard");
    ASSERT_EQ(::mkfifo((outer / "in/pipe").c_str(), 0600), 0);
    const auto received =
        open_in(outer / "in",
                manifest_of({file("link", 1), file("hard", 1), file("pipe", 1), file("folder", 1)}),
                {.conflict = ConflictPolicy::Replace});
    receive(received, {{0, 0, 1}, {1, 0, 1}, {2, 0, 1}, {3, 0, 1}}, "abcd");
    EXPECT_EQ(test::read_file(outer / "outside"), "theirs");
    EXPECT_EQ(test::read_file(outer / "in/link"), "a");
    EXPECT_FALSE(std::filesystem::is_symlink(outer / "in/link"));
    EXPECT_EQ(test::read_file(outer / "in/hard"), "b");
    EXPECT_EQ(test::read_file(outer / "in/pipe (2)"), "c");
    EXPECT_EQ(test::read_file(outer / "in/folder (2)"), "d");
}

TEST(ReceiveFolder, KeepsAFileThatWasChangedSinceItWasToBeReplaced) {
    const TemporaryFolder target;
    write_file(target / "a", "before");
    const auto received =
        open_in(target.path(), manifest_of({file("a", 3)}), {.conflict = ConflictPolicy::Replace});
    write_file(target / "a", "edited meanwhile");
    EXPECT_TRUE(receive(received, {{0, 0, 3}}, "new").published.at(0).renamed);
    EXPECT_EQ(test::read_file(target / "a"), "edited meanwhile");
    EXPECT_EQ(test::read_file(target / "a (2)"), "new");
}

TEST(ReceiveFolder, ReplacesByALinkOnlyWhatStoodThereBefore) {
    const TemporaryFolder target;
    write_file(target / "s/old", "to be replaced");
    write_file(target / "s/edited", "before");
    const auto link = [](const char *path) {
        return ManifestEntry{.kind = EntryKind::Link, .path = path, .target = "a"};
    };
    const auto received =
        open_in(target.path(),
                manifest_of({file("s/a", 1), link("s/old"), link("s/edited"), link("s/new")}),
                {.conflict = ConflictPolicy::Replace});
    write_file(target / "s/edited", "edited meanwhile");
    write_file(target / "s/new", "saved meanwhile");
    receive(received, {{0, 0, 1}}, "x");
    EXPECT_TRUE(received->finish());
    EXPECT_EQ(snapshot(target / "s"), (Tree{{"a", "x"},
                                            {"old", "-> a"},
                                            {"edited", "edited meanwhile"},
                                            {"edited (2)", "-> a"},
                                            {"new", "saved meanwhile"},
                                            {"new (2)", "-> a"}}));
}

TEST(ReceiveFolder, FollowsTheLinkThatTheUserChose) {
    const TemporaryFolder outer;
    std::filesystem::create_directory(outer / "real");
    std::filesystem::create_directory_symlink("real", outer / "chosen");
    const auto received = open_in(outer / "chosen", manifest_of({file("a", 1)}));
    receive(received, {{0, 0, 1}}, "x");
    EXPECT_TRUE(received->finish());
    EXPECT_EQ(snapshot(outer / "real"), (Tree{{"a", "x"}}));
}

TEST(ReceiveFolder, StaysInTheFolderThatWasOpened) {
    const TemporaryFolder outer;
    std::filesystem::create_directories(outer / "outside");
    const auto received = open_in(outer / "in", manifest_of({folder("f"), file("f/a", 1)}));
    std::filesystem::rename(outer / "in", outer / "moved");
    std::filesystem::create_directory_symlink("outside", outer / "in");
    receive(received, {{1, 0, 1}}, "x");
    EXPECT_EQ(test::read_file(outer / "moved/f/a"), "x");
    EXPECT_TRUE(snapshot(outer / "outside").empty());
}

TEST(ReceiveFolder, WritesNothingOutsideWhileALinkComesAndGoes) {
    const TemporaryFolder outer;
    std::filesystem::create_directories(outer / "in/parent");
    std::filesystem::create_directory(outer / "outside");
    std::filesystem::create_directory_symlink("../outside", outer / "in/link");
    constexpr std::uint64_t kFiles = 200;
    const auto manifest = manifest_of({file("parent/large", 2)});
    // A few files are synced one by one, through their folder; many are synced together.
    SegmentPlan many;
    for (std::uint64_t index = 1; index <= kFiles; ++index) {
        ASSERT_TRUE(manifest->add(file("parent/" + std::to_string(index), 1)));
        many.push_back({index, 0, 1});
    }
    const auto received = open_in(outer / "in", manifest);
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
    for (int round = 0; round < 250; ++round) {
        const SegmentPlan small = round % 50 == 0 ? many : SegmentPlan{{1, 0, 1}};
        const auto written =
            write_segment(received, segment_stream(small, std::string(small.size(), 'x')));
        EXPECT_TRUE(written.result);
        EXPECT_TRUE(write_segment(received, segment_stream({{0, 0, 1}}, "y")).result);
        if (written.whole()) {
            for (const Piece &piece : small) {
                received->add_complete({piece.index});
            }
        }
        static_cast<void>(received->commit());
        received->drop({{0, kFiles + 1}});
        received->want({{0, kFiles + 1}});
    }
    stop = true;
    racer.join();
    received->suspend();
    EXPECT_TRUE(snapshot(outer / "outside").empty());
}

TEST(ReceiveFolder, ReportsAReplacedPartFile) {
    const TemporaryFolder outer;
    write_file(outer / "outside", "theirs");
    const auto received = open_in(outer / "in", manifest_of({file("a", 1)}));
    ASSERT_TRUE(write_segment(received, segment_stream({{0, 0, 1}}, "x")).whole());
    for (const auto &entry : std::filesystem::directory_iterator(outer / "in")) {
        if (entry.path().extension() == ".part") {
            std::filesystem::remove(entry.path());
            std::filesystem::create_symlink("../outside", entry.path());
            break;
        }
    }
    received->add_complete({0});
    const CommitResult result = received->commit();
    EXPECT_TRUE(result.published.empty());
    EXPECT_EQ(result.failures.size() + result.unsynced.size(), 1u);
    EXPECT_EQ(test::read_file(outer / "outside"), "theirs");
}

TEST(ReceiveFolder, GivesPermissionsThatTheUmaskAllows) {
    const TemporaryFolder target;
    const ManifestEntry tool{.executable = true, .path = "tool", .size = 1, .mtime_ns = 0};
    const mode_t before = ::umask(0027);
    const auto received = open_in(target.path(), manifest_of({tool, file("plain", 2)}));
    ::umask(before);
    receive(received, {{0, 0, 1}}, "a");
    EXPECT_EQ(mode_of(target / "tool"), 0750u);
    ASSERT_TRUE(write_segment(received, segment_stream({{1, 0, 1}}, "b")).whole());
    std::size_t ours = 0;
    for (const auto &entry : std::filesystem::directory_iterator(target.path())) {
        if (entry.path().filename().string().starts_with(".~thru-")) {
            EXPECT_EQ(mode_of(entry.path()), 0600u);
            ++ours;
        }
    }
    EXPECT_EQ(ours, 2u);
    receive(received, {{1, 1, 1}}, "c");
    EXPECT_EQ(mode_of(target / "plain"), 0640u);
}

TEST(ReceiveFolder, SaysWhenTheTargetCannotBeWritten) {
    const TemporaryFolder target;
    // Not even root can create files there.
    const auto refused = ReceiveFolder::open("/proc/self/new", manifest_of({file("a", 1)}), {}, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::TargetNotWritable);
    EXPECT_NE(refused.error().cause, 0);
    const auto existing = ReceiveFolder::open("/proc/self", manifest_of({file("a", 1)}), {}, {});
    ASSERT_FALSE(existing);
    EXPECT_EQ(existing.error().code, ErrorCode::TargetNotWritable);
}

/// Limits the size of this process's files, so that the system refuses larger writes.
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

TEST(ReceiveFolder, ContinuesWhenOneFileIsTooLargeForTheFileSystem) {
    const TemporaryFolder target;
    const FileSizeLimit limit(500'000);
    const auto manifest = manifest_of({file("a", 10), file("b", 600'000), file("c", 10)});
    std::shared_ptr<ReceiveFolder> received;
    const Prepared prepared = prepare_in(target.path(), manifest, received);
    ASSERT_EQ(prepared.failures.size(), 1u);
    EXPECT_EQ(prepared.failures[0].index, 1u);
    EXPECT_EQ(prepared.failures[0].error.code, ErrorCode::FileTooLarge);
    // Its data arrives anyway.
    const auto written = write_segment(
        received,
        segment_stream({{0, 0, 10}, {1, 0, 600'000}, {2, 0, 10}}, test::noise(600'020, 1)), 7000);
    ASSERT_TRUE(written.result);
    EXPECT_EQ(written.writer->outcome(), SegmentOutcome::Verified);
    ASSERT_EQ(written.writer->failures().size(), 1u);
    EXPECT_EQ(written.writer->failures()[0].index, 1u);
    EXPECT_EQ(written.writer->failures()[0].error.code, ErrorCode::FileTooLarge);
    EXPECT_EQ(written.writer->failures()[0].error.cause, EFBIG);
    received->add_complete({0, 2});
    EXPECT_EQ(received->commit().published.size(), 2u);
}

} // namespace
} // namespace thru::test
