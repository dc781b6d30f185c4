#include "io/receive_folder.h"

#include <algorithm>

#include <gtest/gtest.h>

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

constexpr std::uint64_t kMiB = 1 << 20;
using Tree = std::map<std::string, std::string>;

std::shared_ptr<ReceiveFolder> open_in(const std::filesystem::path &directory,
                                       std::shared_ptr<const ManifestTable> manifest) {
    auto opened = ReceiveFolder::open(directory.string(), std::move(manifest));
    EXPECT_TRUE(opened.has_value());
    return opened.value_or(nullptr);
}

std::map<std::uint64_t, ErrorCode> codes(const std::vector<WriteFailure> &failures) {
    std::map<std::uint64_t, ErrorCode> found;
    for (const WriteFailure &failure : failures) {
        found[failure.index] = failure.error.code;
    }
    return found;
}

TEST(ReceiveFolder, LeavesNothingBehindWhenNothingComes) {
    const TemporaryFolder target;
    const auto received = open_in(target / "new/folder", manifest_of({file("a", 1)}));
    EXPECT_TRUE(received->make_folders().empty());
    EXPECT_GT(received->free_bytes().value_or(0), 0u);
    received->discard_parts();
    EXPECT_EQ(snapshot(target.path()), (Tree{{"new", "(folder)"}, {"new/folder", "(folder)"}}));
}

TEST(ReceiveFolder, IsNoFile) {
    const TemporaryFolder target;
    write_file(target / "taken", "x");
    const auto manifest = manifest_of({file("a", 1)});
    for (const char *path : {"taken", "taken/below"}) {
        const auto opened = ReceiveFolder::open((target / path).string(), manifest);
        ASSERT_FALSE(opened);
        EXPECT_EQ(opened.error().code, ErrorCode::TargetNotWritable);
    }
    EXPECT_EQ(snapshot(target.path()), (Tree{{"taken", "x"}}));
}

TEST(ReceiveFolder, MakesFoldersAndMergesWithThoseThatExist) {
    const TemporaryFolder target;
    write_file(target / "a/mine", "1");
    const auto received =
        open_in(target.path(), manifest_of({folder("a"), folder("a/b"), folder("a/b/c"),
                                            folder("d"), file("not/listed/file", 0)}));
    EXPECT_TRUE(received->make_folders().empty());
    EXPECT_EQ(snapshot(target.path()), (Tree{{"a", "(folder)"},
                                             {"a/mine", "1"},
                                             {"a/b", "(folder)"},
                                             {"a/b/c", "(folder)"},
                                             {"d", "(folder)"},
                                             {"not", "(folder)"},
                                             {"not/listed", "(folder)"}}));
}

TEST(ReceiveFolder, FailsWhatLiesBelowAFile) {
    const TemporaryFolder target;
    write_file(target / "a", "a file");
    const auto received = open_in(
        target.path(),
        manifest_of({folder("a"), file("a/x", 1), folder("a/b"), file("a/b/y", 1), file("z", 1)}));
    EXPECT_EQ(codes(received->make_folders()),
              (std::map<std::uint64_t, ErrorCode>{{0, ErrorCode::TargetNotWritable},
                                                  {1, ErrorCode::TargetNotWritable},
                                                  {2, ErrorCode::TargetNotWritable},
                                                  {3, ErrorCode::TargetNotWritable}}));
    const auto written = write_segment(received, segment_stream({{1, 0, 1}, {4, 0, 1}}, "xz"));
    ASSERT_TRUE(written.result);
    EXPECT_TRUE(written.writer->complete());
    EXPECT_EQ(codes(written.writer->failures()),
              (std::map<std::uint64_t, ErrorCode>{{1, ErrorCode::TargetNotWritable}}));
    EXPECT_EQ(snapshot(target.path()), (Tree{{"a", "a file"}, {"z", "z"}}));
}

TEST(ReceiveFolder, RefusesNamesThatLeadOutsideBeforeAnythingIsMade) {
    const TemporaryFolder outer;
    const auto received = open_in(
        outer / "in", manifest_of({file("../evil", 1), folder("/abs"), file("ok/../../x", 1),
                                   file("ok/.~thru-aaaaaa-0.part", 1), file("good", 1)}));
    EXPECT_EQ(codes(received->make_folders()),
              (std::map<std::uint64_t, ErrorCode>{{0, ErrorCode::NameNotAllowed},
                                                  {1, ErrorCode::NameNotAllowed},
                                                  {2, ErrorCode::NameNotAllowed},
                                                  {3, ErrorCode::NameNotAllowed}}));
    const auto written = write_segment(
        received, segment_stream({{0, 0, 1}, {2, 0, 1}, {3, 0, 1}, {4, 0, 1}}, "abcd"));
    ASSERT_TRUE(written.result);
    EXPECT_EQ(written.writer->failures().size(), 3u);
    EXPECT_EQ(snapshot(outer.path()), (Tree{{"in", "(folder)"}, {"in/good", "d"}}));
}

TEST(ReceiveFolder, NamesALargeFileWhenItIsAsked) {
    const TemporaryFolder target;
    const std::string content = test::noise(20 * kMiB, 1);
    const auto received =
        open_in(target.path(), manifest_of({folder("f"), file("f/x", 20 * kMiB)}));
    EXPECT_TRUE(received->make_folders().empty());
    // Last piece first: they come in any order.
    for (const std::uint64_t offset : {16 * kMiB, 0 * kMiB, 8 * kMiB}) {
        const std::uint64_t length = std::min(8 * kMiB, 20 * kMiB - offset);
        const auto written = write_segment(
            received, segment_stream({{1, offset, length}}, content.substr(offset, length)));
        ASSERT_TRUE(written.result);
        ASSERT_TRUE(written.writer->complete());
        EXPECT_FALSE(std::filesystem::exists(target / "f/x"));
    }
    EXPECT_EQ(received->name_file(1), false);
    EXPECT_TRUE(snapshot(target.path()) == (Tree{{"f", "(folder)"}, {"f/x", content}}));
    EXPECT_EQ(test::mtime_of(target / "f/x"), 1);
}

TEST(ReceiveFolder, KeepsMoreLargeFilesGoingThanItHoldsOpen) {
    const TemporaryFolder target;
    constexpr std::size_t kFiles = 100;
    const auto received = open_in(target.path(), test::files_of(kFiles, 4));
    const auto write_all = [&received](std::uint64_t offset, std::string_view data) {
        for (std::size_t index = 0; index < kFiles; ++index) {
            const auto written =
                write_segment(received, segment_stream({{index, offset, 2}}, data));
            ASSERT_TRUE(written.result && written.writer->failures().empty());
        }
    };
    write_all(2, "cd");
    write_all(0, "ab");
    for (std::size_t index = 0; index < kFiles; ++index) {
        EXPECT_EQ(received->name_file(index), false);
        EXPECT_EQ(test::read_file(target / ("f" + std::to_string(index))), "abcd");
    }
    EXPECT_EQ(snapshot(target.path()).size(), kFiles);
}

TEST(ReceiveFolder, WritesBeyondFourGigabytes) {
    constexpr std::uint64_t kSize = (4ULL << 30) + 5;
    const TemporaryFolder target;
    const auto received = open_in(target.path(), manifest_of({file("big", kSize)}));
    const auto written = write_segment(received, segment_stream({{0, kSize - 7, 7}}, "the end"));
    if (!written.result) { // room for all of it is taken at once
        EXPECT_EQ(written.result.error().code, ErrorCode::DiskFull);
        EXPECT_LT(received->free_bytes().value(), kSize);
        return;
    }
    EXPECT_EQ(received->name_file(0), false);
    EXPECT_EQ(std::filesystem::file_size(target / "big"), kSize);
    std::FILE *big = std::fopen((target / "big").string().c_str(), "rb");
    ASSERT_NE(big, nullptr);
    std::fseek(big, -7, SEEK_END);
    char end[8] = {};
    EXPECT_EQ(std::fread(end, 1, 7, big), 7u);
    std::fclose(big);
    EXPECT_STREQ(end, "the end");
}

TEST(ReceiveFolder, DiscardsPartsAndWritesNothingAfterwards) {
    const TemporaryFolder target;
    write_file(target / "mine", "1");
    const auto received = open_in(target.path(), test::files_of(3, 4));
    for (std::size_t index = 0; index < 3; ++index) {
        ASSERT_TRUE(write_segment(received, segment_stream({{index, 0, 2}}, "ab")).result);
    }
    EXPECT_EQ(snapshot(target.path()).size(), 4u);
    received->discard_parts();
    EXPECT_EQ(snapshot(target.path()), (Tree{{"mine", "1"}}));
    const auto late = write_segment(received, segment_stream({{0, 2, 2}}, "cd"));
    EXPECT_TRUE(late.result);
    EXPECT_EQ(codes(late.writer->failures()),
              (std::map<std::uint64_t, ErrorCode>{{0, ErrorCode::Stopped}}));
    EXPECT_EQ(received->name_file(0).error().code, ErrorCode::Stopped);
    EXPECT_EQ(snapshot(target.path()), (Tree{{"mine", "1"}}));
}

TEST(ReceiveFolder, TellsAtOnceThatALargeFileDoesNotFit) {
    const TemporaryFolder target;
    const std::uint64_t free = open_in(target.path(), test::files_of(1, 1))->free_bytes().value();
    const auto received = open_in(target.path(), manifest_of({file("huge", free + (1ULL << 40))}));
    const auto written = write_segment(received, segment_stream({{0, 0, 4}}, "data"));
    EXPECT_EQ(written.result.error().code, ErrorCode::DiskFull);
    received->discard_parts();
    EXPECT_TRUE(snapshot(target.path()).empty());
}

TEST(ReceiveFolder, CountsUpWhenNamesAreTaken) {
    const TemporaryFolder target;
    write_file(target / "a.txt", "0");
    for (int number = 2; number <= 40; ++number) {
        write_file(target / ("a (" + std::to_string(number) + ").txt"), "0");
    }
    const auto received = open_in(target.path(), manifest_of({file("a.txt", 3), file("a.txt", 3)}));
    const auto written = write_segment(received, segment_stream({{0, 0, 3}, {1, 0, 3}}, "onetwo"));
    ASSERT_TRUE(written.result);
    EXPECT_EQ(written.writer->renamed(), 2u);
    EXPECT_EQ(test::read_file(target / "a.txt"), "0");
    EXPECT_EQ(test::read_file(target / "a (41).txt"), "one");
    EXPECT_EQ(test::read_file(target / "a (42).txt"), "two");
}

TEST(ReceiveFolder, KeepsAFileWhoseNameIsAFolderNow) {
    const TemporaryFolder target;
    std::filesystem::create_directory(target / "name");
    const auto received = open_in(target.path(), manifest_of({file("name", 1)}));
    const auto written = write_segment(received, segment_stream({{0, 0, 1}}, "x"));
    ASSERT_TRUE(written.result);
    EXPECT_EQ(written.writer->renamed(), 1u);
    EXPECT_EQ(snapshot(target.path()), (Tree{{"name", "(folder)"}, {"name (2)", "x"}}));
}

} // namespace
} // namespace thru
