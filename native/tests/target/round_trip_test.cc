// Files through scan, reader and writer, compared byte by byte.
#include <algorithm>
#include <cstdio>
#include <random>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "fs/file_system.h"
#include "support/sizes.h"
#include "target/local_transfer.h"

namespace thru::test {
namespace {

TEST(RoundTrip, TenThousandSmallFilesArriveAsTheyWere) {
    const TemporaryFolder source;
    const TemporaryFolder target;
    std::mt19937 random(3);
    for (std::uint32_t file = 0; file < 10'000; ++file) {
        const auto folder = "data/" + std::to_string(file % 25);
        write_file(source / (folder + "/file" + std::to_string(file) + ".bin"),
                   test::noise(random() % 12'000, file));
    }
    const auto done = transfer({(source / "data").string()}, target.path());
    ASSERT_TRUE(done.result) << done.result.error().detail;
    EXPECT_EQ(done.totals.files, 10'000u);
    EXPECT_EQ(done.totals.problems, 0u);
    EXPECT_EQ(done.totals.renamed, 0u);
    EXPECT_TRUE(snapshot(source.path()) == snapshot(target.path()));
}

TEST(RoundTrip, LargeFilesArriveAsTheyWere) {
    const TemporaryFolder source;
    const TemporaryFolder target;
    for (const std::size_t size :
         {8 * kMiB - 1, 8 * kMiB, 8 * kMiB + 1, 16 * kMiB, 33 * kMiB + 7}) {
        write_file(source / ("large/" + std::to_string(size)),
                   test::noise(size, static_cast<std::uint32_t>(size)));
    }
    const auto done = transfer({(source / "large").string()}, target.path());
    ASSERT_TRUE(done.result) << done.result.error().detail;
    EXPECT_EQ(done.totals.files, 5u);
    EXPECT_TRUE(snapshot(source.path()) == snapshot(target.path()));
}

TEST(RoundTrip, HoldsForEveryShapeAndChunk) {
    const TemporaryFolder source;
    write_file(source / "top/empty", "");
    write_file(source / "top/a", "a");
    write_file(source / "top/sub/b", test::noise(1000, 1));
    write_file(source / "top/sub/deeper/c", test::noise(100'000, 2));
    write_file(source / "top/caf\u00e9 (NFC)", "1");
    write_file(source / "top/cafe\u0301 (NFD)", "2");
    write_file(source / "top/\U0001F468\u200D\U0001F469\u200D\U0001F467.txt", "3");
    std::filesystem::create_directories(source / "top/nothing/in/here");
    write_file(source / "single.txt", "alone");
    const auto expected = snapshot(source.path());
    for (const std::size_t chunk : {1uz, 33uz, 4096uz, 1'000'000uz}) {
        const TemporaryFolder target;
        const auto done = transfer({(source / "top").string(), (source / "single.txt").string()},
                                   target / "made/for/it", {.chunk = chunk});
        ASSERT_TRUE(done.result) << done.result.error().detail;
        EXPECT_TRUE(done.share->problems.empty());
        EXPECT_EQ(snapshot(target / "made/for/it"), expected);
    }
}

TEST(RoundTrip, KeepsTimes) {
    const TemporaryFolder source;
    const TemporaryFolder target;
    write_file(source / "old", "once");
    write_file(source / "new", test::noise(9 * kMiB, 1));
    const auto old =
        std::filesystem::file_time_type(std::filesystem::file_time_type::clock::now()) -
        std::chrono::years(20);
    std::filesystem::last_write_time(source / "old", old);
    const auto done =
        transfer({(source / "old").string(), (source / "new").string()}, target.path());
    ASSERT_TRUE(done.result);
    for (const char *name : {"old", "new"}) {
        EXPECT_EQ(test::mtime_of(target / name), test::mtime_of(source / name));
    }
}

TEST(RoundTrip, KeepsBothOfTwoFilesOnlyOnce) {
    const TemporaryFolder source;
    const TemporaryFolder target;
    write_file(source / "set/a.txt", "new");
    write_file(source / "set/large", test::noise(9 * kMiB, 4));
    write_file(target / "set/a.txt", "old");
    const std::vector<std::string> roots = {(source / "set").string()};
    EXPECT_EQ(transfer(roots, target.path()).totals.renamed, 1u);
    const auto again = transfer(roots, target.path());
    ASSERT_TRUE(again.result);
    EXPECT_EQ(again.totals.renamed, 0u);
    EXPECT_EQ(again.totals.identical, 2u);
    const auto found = snapshot(target.path());
    EXPECT_EQ(found.size(), 4u);
    EXPECT_EQ(found.at("set/a.txt"), "old");
    EXPECT_EQ(found.at("set/a (2).txt"), "new");
}

TEST(RoundTrip, ContinuesWithoutFilesThatVanish) {
    const TemporaryFolder source;
    const TemporaryFolder target;
    for (const char *name : {"a", "b", "c"}) {
        write_file(source / ("set/" + std::string(name)), name);
    }
    // A file vanishes after the scan: its segment is read again without it.
    const test::Share share({(source / "set").string()});
    std::filesystem::remove(source / "set/b");
    SegmentPlan plan;
    for (const char *name : {"set/a", "set/b", "set/c"}) {
        plan.push_back({.index = share.index_of(name), .offset = 0, .length = 1});
    }
    std::ranges::sort(plan, {}, &Piece::index);
    const std::uint64_t missing = share.index_of("set/b");
    const auto failed = test::read_segment(share, plan);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().index, missing);
    EXPECT_EQ(failed.error().error.code, ErrorCode::PathNotFound);
    std::erase_if(plan, [missing](const Piece &piece) { return piece.index == missing; });
    EXPECT_TRUE(test::read_segment(share, plan));
}

} // namespace
} // namespace thru::test
