#include "target/receive_folder.h"

#include <algorithm>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "support/prepare_folder.h"
#include "support/sizes.h"
#include "target/local_transfer.h"
#include "transfer/manifests.h"

namespace thru::test {
namespace {

using Tree = std::map<std::string, std::string>;

std::map<std::uint64_t, ErrorCode> codes(const std::vector<WriteFailure> &failures) {
    std::map<std::uint64_t, ErrorCode> found;
    for (const WriteFailure &failure : failures) {
        found[failure.index] = failure.error.code;
    }
    return found;
}

TEST(ReceiveFolder, LeavesNothingBehindWhenNothingComes) {
    for (const bool resume : {true, false}) {
        const TemporaryFolder target;
        const auto received =
            open_in(target / "new/folder", manifest_of({file("a", 1)}), {.resume = resume});
        EXPECT_TRUE(received->has_room(1).value());
        received->suspend();
        EXPECT_EQ(snapshot(target.path()), (Tree{{"new", "(folder)"}, {"new/folder", "(folder)"}}));
    }
}

TEST(ReceiveFolder, IsNoFile) {
    const TemporaryFolder target;
    write_file(target / "taken", "x");
    const auto manifest = manifest_of({file("a", 1)});
    for (const char *path : {"taken", "taken/below"}) {
        const auto opened = ReceiveFolder::open((target / path).string(), manifest, {}, {});
        ASSERT_FALSE(opened);
        EXPECT_EQ(opened.error().code, ErrorCode::TargetNotWritable);
    }
    EXPECT_EQ(snapshot(target.path()), (Tree{{"taken", "x"}}));
}

TEST(ReceiveFolder, MakesFoldersAndMergesWithThoseThatExist) {
    const TemporaryFolder target;
    write_file(target / "a/mine", "1");
    const auto manifest = manifest_of(
        {folder("a"), folder("a/b"), folder("a/b/c"), folder("d"), file("not/listed/file", 0)});
    const auto received = open_in(target.path(), manifest);
    receive(received, {{4, 0, 0}}, "");
    EXPECT_TRUE(received->finish());
    EXPECT_EQ(snapshot(target.path()), (Tree{{"a", "(folder)"},
                                             {"a/mine", "1"},
                                             {"a/b", "(folder)"},
                                             {"a/b/c", "(folder)"},
                                             {"d", "(folder)"},
                                             {"not", "(folder)"},
                                             {"not/listed", "(folder)"},
                                             {"not/listed/file", ""}}));
    EXPECT_EQ(test::mtime_of(target / "a/b/c"), 100);
    EXPECT_EQ(test::mtime_of(target / "a"), 100);
}

TEST(ReceiveFolder, MakesNoEmptyFoldersThatAreNotWanted) {
    const TemporaryFolder target;
    const auto manifest = manifest_of({folder("a"), folder("a/b"), file("a/x", 1), folder("c")});
    const auto received =
        open_in(target.path(), manifest, {.resume = false, .make_empty_folders = false});
    receive(received, {{2, 0, 1}}, "x");
    EXPECT_TRUE(received->finish());
    EXPECT_EQ(snapshot(target.path()), (Tree{{"a", "(folder)"}, {"a/x", "x"}}));
}

TEST(ReceiveFolder, FailsWhatLiesBelowAFile) {
    const TemporaryFolder target;
    write_file(target / "a", "a file");
    const auto manifest =
        manifest_of({folder("a"), file("a/x", 1), folder("a/b"), file("a/b/y", 1), file("z", 1)});
    const auto received = ReceiveFolder::open(target.path().string(), manifest, {}, {}).value();
    EXPECT_EQ(codes(test::prepare(*received, 0, 5, {})->failures),
              (std::map<std::uint64_t, ErrorCode>{{0, ErrorCode::TargetNotWritable},
                                                  {1, ErrorCode::TargetNotWritable},
                                                  {2, ErrorCode::TargetNotWritable},
                                                  {3, ErrorCode::TargetNotWritable}}));
    const auto written = write_segment(received, segment_stream({{1, 0, 1}, {4, 0, 1}}, "xz"));
    ASSERT_TRUE(written.result);
    EXPECT_EQ(codes(written.writer->failures()),
              (std::map<std::uint64_t, ErrorCode>{{1, ErrorCode::TargetNotWritable}}));
    received->add_complete({4});
    EXPECT_EQ(received->commit().published.size(), 1u);
    EXPECT_TRUE(received->finish());
    EXPECT_EQ(snapshot(target.path()), (Tree{{"a", "a file"}, {"z", "z"}}));
}

TEST(ReceiveFolder, RefusesNamesThatLeadOutsideBeforeAnythingIsMade) {
    for (const char *bad :
         {"../evil", "/abs", "ok/../../x", "ok/.~thru-aaaaaa-0.part", ".~THRU-aaaaaa.journal"}) {
        const TemporaryFolder outer;
        const auto manifest = manifest_of({folder("fine"), file("good", 1), file(bad, 1)});
        const auto received =
            ReceiveFolder::open((outer / "in").string(), manifest, {}, {}).value();
        EXPECT_EQ(test::prepare(*received, 0, 3, {}).error().code, ErrorCode::BadManifest) << bad;
        EXPECT_EQ(snapshot(outer.path()), (Tree{{"in", "(folder)"}})) << bad;
    }
}

TEST(ReceiveFolder, NamesALargeFileWhenItIsWhole) {
    const TemporaryFolder target;
    const std::string content = test::noise(20 * kMiB, 1);
    const auto received =
        open_in(target.path(), manifest_of({folder("f"), file("f/x", 20 * kMiB)}));
    // The last piece is first, because they arrive in any order.
    for (const std::uint64_t offset : {16 * kMiB, 0 * kMiB, 8 * kMiB}) {
        const std::uint64_t length = std::min(8 * kMiB, 20 * kMiB - offset);
        ASSERT_TRUE(write_segment(received, segment_stream({{1, offset, length}},
                                                           content.substr(offset, length)))
                        .whole());
        EXPECT_TRUE(received->commit().published.empty());
        EXPECT_FALSE(std::filesystem::exists(target / "f/x"));
    }
    received->add_complete({1});
    const CommitResult result = received->commit();
    ASSERT_EQ(result.published.size(), 1u);
    EXPECT_FALSE(result.published[0].renamed);
    EXPECT_TRUE(received->finish());
    EXPECT_TRUE(snapshot(target.path()) == (Tree{{"f", "(folder)"}, {"f/x", content}}));
    EXPECT_EQ(test::mtime_of(target / "f/x"), 100);
}

TEST(ReceiveFolder, NamesThousandsOfFilesInOneCommit) {
    const TemporaryFolder target;
    constexpr std::size_t kFolders = 40;
    constexpr std::size_t kFiles = 4'000;
    const auto path_of = [](std::size_t index) {
        return std::to_string(index * kFolders / kFiles) + "/" + std::to_string(index);
    };
    const auto content_of = [](std::size_t index) { return std::to_string(10'000 + index); };
    auto manifest = std::make_shared<ManifestTable>();
    SegmentPlan plan;
    std::string data;
    std::vector<std::uint64_t> all;
    for (std::size_t index = 0; index < kFiles; ++index) {
        ASSERT_TRUE(manifest->add(file(path_of(index), 5)));
        plan.push_back({.index = index, .offset = 0, .length = 5});
        data += content_of(index);
        all.push_back(index);
    }
    const auto received = open_in(target.path(), manifest);
    ASSERT_TRUE(write_segment(received, segment_stream(plan, data)).whole());
    // Other programs take some names, and replace a received file with one of theirs.
    const std::set<std::size_t> taken = {0, 1'500, 1'501, kFiles - 1};
    for (const std::size_t index : taken) {
        write_file(target / path_of(index), "theirs");
    }
    constexpr std::size_t kReplaced = 2'700;
    for (const auto &entry :
         std::filesystem::directory_iterator((target / path_of(kReplaced)).parent_path())) {
        if (test::read_file(entry.path()) == content_of(kReplaced)) {
            write_file(target / "swap", "theirs");
            std::filesystem::rename(target / "swap", entry.path());
        }
    }
    received->add_complete(all);
    const CommitResult result = received->commit();
    EXPECT_EQ(result.published.size(), kFiles - 1);
    EXPECT_TRUE(std::ranges::is_sorted(result.published, {}, &CommitResult::Published::index));
    EXPECT_EQ(codes(result.failures),
              (std::map<std::uint64_t, ErrorCode>{{kReplaced, ErrorCode::TargetNotWritable}}));
    for (const auto &published : result.published) {
        const auto index = static_cast<std::size_t>(published.index);
        ASSERT_EQ(published.renamed, taken.contains(index)) << index;
        ASSERT_EQ(test::read_file(target / (path_of(index) + (published.renamed ? " (2)" : ""))),
                  content_of(index));
    }
    EXPECT_EQ(test::read_file(target / path_of(1'500)), "theirs");
    EXPECT_TRUE(received->finish());
}

TEST(ReceiveFolder, LeavesHolesInSparseFiles) {
    const TemporaryFolder target;
    constexpr std::uint64_t kSize = 1ULL << 40;
    const ManifestEntry sparse{.sparse = true, .path = "s", .size = kSize, .mtime_ns = 1};
    const ManifestEntry hole{.sparse = true, .path = "hole", .size = 5 * kMiB, .mtime_ns = 1};
    const auto received = open_in(target.path(), manifest_of({sparse, hole}));
    EXPECT_FALSE(received->on_hole({.index = 0, .offset = 0, .length = kSize / 2}));
    ASSERT_TRUE(write_segment(received, segment_stream({{0, kSize / 2, 4}}, "data")).whole());
    EXPECT_FALSE(received->on_hole({.index = 0, .offset = kSize / 2 + 4, .length = kSize / 2 - 4}));
    EXPECT_FALSE(received->on_hole({.index = 1, .offset = 0, .length = 5 * kMiB}));
    received->add_complete({0, 1});
    EXPECT_EQ(received->commit().published.size(), 2u);
    EXPECT_EQ(std::filesystem::file_size(target / "s"), kSize);
    EXPECT_EQ(test::read_file(target / "hole"), std::string(5 * kMiB, '\0'));
}

TEST(ReceiveFolder, WritesNothingAfterItWasSuspended) {
    const TemporaryFolder target;
    write_file(target / "mine", "1");
    const auto received = open_in(target.path(), test::files_of(3, 4), {.resume = false});
    for (std::size_t index = 0; index < 3; ++index) {
        ASSERT_TRUE(write_segment(received, segment_stream({{index, 0, 2}}, "ab")).whole());
    }
    EXPECT_EQ(snapshot(target.path()).size(), 4u);
    received->suspend();
    EXPECT_EQ(snapshot(target.path()), (Tree{{"mine", "1"}}));
    const auto late = write_segment(received, segment_stream({{0, 2, 2}}, "cd"));
    EXPECT_EQ(late.result.error().code, ErrorCode::Stopped);
    EXPECT_EQ(snapshot(target.path()), (Tree{{"mine", "1"}}));
}

TEST(ReceiveFolder, CountsUpWhenNamesAreTaken) {
    const TemporaryFolder target;
    write_file(target / "a.txt", "0");
    for (int number = 2; number <= 40; ++number) {
        write_file(target / ("a (" + std::to_string(number) + ").txt"), "0");
    }
    const auto received = open_in(target.path(), manifest_of({file("a.txt", 3)}));
    EXPECT_TRUE(receive(received, {{0, 0, 3}}, "one").published.at(0).renamed);
    EXPECT_EQ(test::read_file(target / "a.txt"), "0");
    EXPECT_EQ(test::read_file(target / "a (41).txt"), "one");
}

TEST(ReceiveFolder, TreatsWhatStandsThereAsThePolicySays) {
    struct Case {
        ConflictPolicy policy;
        std::int64_t offered_time;
        Tree expected;
        std::uint64_t unwanted;
    };
    const Tree replaced = {{"a", "new!"}};
    const Tree kept = {{"a", "old!!"}};
    const Tree both = {{"a", "old!!"}, {"a (2)", "new!"}};
    const std::int64_t later = std::int64_t{4'000'000'000} * 1'000'000'000;
    for (const Case &each : {Case{ConflictPolicy::KeepBoth, later, both, 0},
                             Case{ConflictPolicy::Replace, 0, replaced, 0},
                             Case{ConflictPolicy::ReplaceOlder, later, replaced, 0},
                             Case{ConflictPolicy::ReplaceOlder, 0, kept, 1},
                             Case{ConflictPolicy::Skip, later, kept, 1}}) {
        const TemporaryFolder target;
        write_file(target / "a", "old!!");
        const ManifestEntry offered{.path = "a", .size = 4, .mtime_ns = each.offered_time};
        const auto received = ReceiveFolder::open(target.path().string(), manifest_of({offered}),
                                                  {.conflict = each.policy}, {})
                                  .value();
        const Prepared prepared = test::prepare(*received, 0, 1, {}).value();
        EXPECT_EQ(count_of(prepared.unwanted), each.unwanted);
        EXPECT_EQ(prepared.summary.different, 1u);
        if (each.unwanted == 0) {
            EXPECT_EQ(receive(received, {{0, 0, 4}}, "new!").published.size(), 1u);
        }
        EXPECT_TRUE(received->finish());
        EXPECT_EQ(snapshot(target.path()), each.expected);
    }
}

TEST(ReceiveFolder, ComparesContentWhenAsked) {
    const TemporaryFolder target;
    write_file(target / "same", "content");
    write_file(target / "other", "CONTENT");
    const auto received =
        ReceiveFolder::open(target.path().string(),
                            manifest_of({file("same", 7), file("other", 7)}),
                            {.conflict = ConflictPolicy::Replace, .compare_content = true}, {})
            .value();
    const Prepared prepared = test::prepare(*received, 0, 2, {}).value();
    ASSERT_EQ(prepared.have.size(), 2u);
    EXPECT_EQ(prepared.have[0].offset, 7u);
    EXPECT_EQ(prepared.have[0].hash_begin, 0u);
    // The sender confirms the first file.
    received->add_complete({0});
    EXPECT_TRUE(received->restart(1));
    const auto published = receive(received, {{1, 0, 7}}, "content").published;
    ASSERT_EQ(published.size(), 2u);
    for (const CommitResult::Published &file : published) {
        EXPECT_EQ(file.identical, file.index == 0);
    }
    EXPECT_TRUE(received->finish());
    EXPECT_EQ(snapshot(target.path()), (Tree{{"same", "content"}, {"other", "content"}}));
}

TEST(ReceiveFolder, KeepsNoSecondCopyOfTheSameContent) {
    const TemporaryFolder target;
    const std::string large = test::noise(9 * kMiB, 1);
    write_file(target / "same", "content");
    write_file(target / "other", "CONTENT");
    write_file(target / "large", large);
    const auto received = open_in(
        target.path(), manifest_of({file("same", 7), file("other", 7), file("large", 9 * kMiB)}));
    auto published = receive(received, {{0, 0, 7}, {1, 0, 7}}, "contentcontent").published;
    const auto first = segment_stream({{2, 0, 5 * kMiB}}, large.substr(0, 5 * kMiB));
    ASSERT_TRUE(write_segment(received, first).whole());
    const auto rest = receive(received, {{2, 5 * kMiB, 4 * kMiB}}, large.substr(5 * kMiB));
    published.insert(published.end(), rest.published.begin(), rest.published.end());
    ASSERT_EQ(published.size(), 3u);
    for (const CommitResult::Published &file : published) {
        EXPECT_EQ(file.identical, file.index != 1);
        EXPECT_EQ(file.renamed, file.index == 1);
    }
    EXPECT_TRUE(received->finish());
    EXPECT_EQ(snapshot(target.path()), (Tree{{"same", "content"},
                                             {"other", "CONTENT"},
                                             {"other (2)", "content"},
                                             {"large", large}}));
}

TEST(ReceiveFolder, AsksAgainForWhatReadsBackWrong) {
    const TemporaryFolder target;
    const std::string content = test::noise(30'000, 1);
    const auto received =
        open_in(target.path(), manifest_of({file("a", 3), file("l", 30'000)}), {.verify = true});
    ASSERT_TRUE(write_segment(received, segment_stream({{0, 0, 3}}, "aaa")).whole());
    for (const std::uint64_t offset : {0, 10'000, 20'000}) {
        ASSERT_TRUE(write_segment(received, segment_stream({{1, offset, 10'000}},
                                                           content.substr(offset, 10'000)))
                        .whole());
    }
    for (const auto &entry : std::filesystem::directory_iterator(target.path())) {
        if (entry.path().extension() == ".part") {
            std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
            file.seekp(entry.file_size() > 3 ? 15'000 : 1);
            file.put('\0');
        }
    }
    received->add_complete({0, 1});
    const CommitResult result = received->commit();
    EXPECT_TRUE(result.published.empty());
    ASSERT_EQ(result.damaged.size(), 2u);
    EXPECT_EQ(result.damaged[0].length, 3u);
    EXPECT_EQ(result.damaged[1].offset, 10'000u);
    EXPECT_EQ(result.damaged[1].length, 10'000u);
    EXPECT_EQ(receive(received, {{0, 0, 3}}, "aaa").published.size(), 1u);
    EXPECT_EQ(
        receive(received, {{1, 10'000, 10'000}}, content.substr(10'000, 10'000)).published.size(),
        1u);
    EXPECT_TRUE(received->finish());
    EXPECT_TRUE(snapshot(target.path()) == (Tree{{"a", "aaa"}, {"l", content}}));
}

TEST(ReceiveFolder, ContinuesWithEntriesOfferedAfterItWasFinished) {
    const TemporaryFolder target;
    const auto manifest = manifest_of({file("a", 3)});
    const auto received = open_in(target.path(), manifest);
    receive(received, {{0, 0, 3}}, "aaa");
    EXPECT_TRUE(received->finish());
    EXPECT_EQ(snapshot(target.path()), (Tree{{"a", "aaa"}}));
    EXPECT_TRUE(manifest->add(file("b", 3)));
    EXPECT_TRUE(manifest->add(file("c", 9)));
    EXPECT_TRUE(test::prepare(*received, 1, 3, {}));
    receive(received, {{1, 0, 3}}, "bbb");
    ASSERT_TRUE(write_segment(received, segment_stream({{2, 0, 4}}, "cccc")).whole());
    received->suspend();
    const auto next =
        ReceiveFolder::open(target.path().string(), manifest, {}, {.origin = test::kOriginId})
            .value();
    const Prepared prepared = test::prepare(*next, 0, 3, {}).value();
    // The finished attempt's journal is gone: "a" is known by its size and time only.
    EXPECT_EQ(count_of(prepared.uncompared), 1u);
    EXPECT_EQ(count_of(prepared.present), 1u);
    EXPECT_EQ(prepared.have.at(0).offset, 4u);
}

} // namespace
} // namespace thru::test
