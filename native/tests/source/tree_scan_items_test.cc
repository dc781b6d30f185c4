// The top level of a share: items that are added and removed, texts, and entries left out.
#include "source/tree_scan.h"

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "source/share.h"

namespace thru::test {
namespace {

using Paths = std::vector<std::string>;
using Codes = std::map<std::string, ErrorCode>;

ScanOptions without(const std::vector<std::string> &patterns) {
    return {.exclude = parse_patterns(patterns).value()};
}

TEST(TreeScan, NumbersItemsOfTheSameName) {
    const TemporaryFolder folder;
    write_file(folder / "one/photo.jpg", "1");
    write_file(folder / "two/photo.jpg", "22");
    write_file(folder / "three/photo.jpg", "333");
    write_file(folder / "one/set/x", "");
    write_file(folder / "two/set/x", "");
    const Share all({(folder / "one/photo.jpg").string(), (folder / "two/photo.jpg").string(),
                     (folder / "three/photo.jpg").string(), (folder / "one/set").string(),
                     (folder / "two/set/").string()});
    EXPECT_EQ(all.sorted_paths(), (Paths{"photo (2).jpg", "photo (3).jpg", "photo.jpg", "set",
                                         "set (2)", "set (2)/x", "set/x"}));
    EXPECT_EQ(all.at("photo (2).jpg").entry.size, 2u);
    EXPECT_EQ(all.entries[1].root, 1u);
    EXPECT_EQ(all.scan->place(all.entries[1].place).path,
              std::filesystem::canonical(folder / "two/photo.jpg").generic_string());
    EXPECT_EQ(test::read_entry(all, 2), "333");
}

TEST(TreeScan, LeavesOutWhatIgnoreFilesSayWhereTheyStandAndBelow) {
    const TemporaryFolder folder;
    write_file(folder / "app/.gitignore", "*.log\nbuild/\n");
    write_file(folder / "app/a.log", "");
    write_file(folder / "app/build/x", "");
    write_file(folder / "app/build/y", "");
    write_file(folder / "app/src/.gitignore", "!kept.log\n/gen\n");
    write_file(folder / "app/src/kept.log", "");
    write_file(folder / "app/src/other.log", "");
    write_file(folder / "app/src/gen/z", "");
    write_file(folder / "app/gen", "");
    write_file(folder / "logs/a.log", "");
    const std::vector<std::string> items = {(folder / "app").string(), (folder / "logs").string()};
    const Share all(items, {.ignore_files = true});
    EXPECT_EQ(all.sorted_paths(),
              (Paths{"app", "app/.gitignore", "app/gen", "app/src", "app/src/.gitignore",
                     "app/src/kept.log", "logs", "logs/a.log"}));
    EXPECT_EQ(all.excluded, (std::vector<std::uint32_t>{0, 0, 0, 0}))
        << "a.log, build, other.log and src/gen; what is in them is not counted";
    EXPECT_TRUE(all.problems.empty());
    EXPECT_EQ(Share(items).entries.size(), 15u) << "unless they count";
}

TEST(TreeScan, AnIgnoreFileThatIsNoFileHasNoRules) {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder / "app/.gitignore");
    write_file(folder / "app/a", "");
    EXPECT_EQ(Share({(folder / "app").string()}, {.ignore_files = true}).sorted_paths(),
              (Paths{"app", "app/.gitignore", "app/a"}));
}

TEST(TreeScan, TakesMoreItemsAfterItWasComplete) {
    const TemporaryFolder folder;
    write_file(folder / "one/file", "1");
    write_file(folder / "two/file", "2");
    Share all({(folder / "one").string()});
    EXPECT_EQ(all.entries.size(), 2u);
    EXPECT_TRUE(all.scan->step(10).entries.empty());
    all.add({(folder / "two").string(), (folder / "one").string()});
    EXPECT_EQ(all.sorted_paths(),
              (Paths{"one", "one (2)", "one (2)/file", "one/file", "two", "two/file"}));
    EXPECT_EQ(all.at("two/file").root, 1u);
    EXPECT_EQ(all.at("one (2)/file").root, 2u);
}

TEST(TreeScan, TakesMoreItemsWhileItGoesThroughOthers) {
    const TemporaryFolder folder;
    write_file(folder / "one/file", "1");
    write_file(folder / "two", "2");
    TreeScan scan({});
    scan.add({{.path = (folder / "one").string()}});
    EXPECT_FALSE(scan.step(1).complete);
    scan.add({{.path = (folder / "two").string()}});
    const ScanBatch rest = scan.step(10);
    EXPECT_TRUE(rest.complete);
    ASSERT_EQ(rest.entries.size(), 2u);
    EXPECT_EQ(rest.entries[0].entry.path, "one/file");
    EXPECT_EQ(rest.entries[1].entry.path, "two");
}

TEST(TreeScan, KeepsTheNameOfARemovedItem) {
    const TemporaryFolder folder;
    write_file(folder / "one/file", "1");
    write_file(folder / "two/file", "2");
    Share all({(folder / "one/file").string(), (folder / "two/file").string()});
    all.scan->remove(0);
    all.scan->remove(0);
    all.add({(folder / "two/file").string()});
    ASSERT_EQ(all.entries.size(), 3u);
    EXPECT_EQ(all.entries[1].entry.path, "file (2)");
    EXPECT_EQ(all.entries[2].entry.path, "file (3)") << "a receiver may not know yet";
    EXPECT_EQ(test::read_entry(all, 0), "1") << "a receiver may still be at it";
}

TEST(TreeScan, GoesNoFurtherThroughRemovedItems) {
    const TemporaryFolder folder;
    write_file(folder / "one/sub/file", "1");
    write_file(folder / "two/file", "2");
    write_file(folder / "three", "3");
    TreeScan scan({});
    scan.add({{.path = (folder / "one").string()},
              {.path = (folder / "two").string()},
              {.path = (folder / "three").string()}});
    EXPECT_EQ(scan.step(1).entries.size(), 1u);
    scan.remove(0);
    scan.remove(1);
    const ScanBatch rest = scan.step(10);
    EXPECT_TRUE(rest.complete);
    ASSERT_EQ(rest.entries.size(), 1u);
    EXPECT_EQ(rest.entries[0].entry.path, "three");
}

TEST(TreeScan, TakesSixteenMebibytesOfTexts) {
    TreeScan scan({});
    std::vector<ScanItem> items;
    for (std::uint64_t bytes = 0; bytes <= kMaxTextsBytes; bytes += kMaxTextBytes) {
        items.push_back({.text = std::string(kMaxTextBytes, 't')});
    }
    const auto texts = items.size();
    scan.add(std::move(items));
    const ScanBatch all = scan.step(100);
    EXPECT_EQ(all.entries.size(), texts - 1);
    ASSERT_EQ(all.problems.size(), 1u);
    EXPECT_EQ(all.problems[0].error.code, ErrorCode::LimitExceeded);
}

TEST(TreeScan, LeavesOutWhatIsExcluded) {
    const TemporaryFolder folder;
    write_file(folder / "top/keep.txt", "1");
    write_file(folder / "top/drop.tmp", "1");
    write_file(folder / "top/cache/deep/file", "1");
    write_file(folder / "top/sub/drop.tmp", "1");
    write_file(folder / "top/sub/cache", "1");
    write_file(folder / "other/file", "1");
    write_file(folder / "alone.tmp", "1");
    const Share all(
        {(folder / "top").string(), (folder / "other").string(), (folder / "alone.tmp").string()},
        without({"*.tmp", "/top/cache", "other"}));
    EXPECT_TRUE(all.problems.empty());
    EXPECT_EQ(all.sorted_paths(), (Paths{"top", "top/keep.txt", "top/sub", "top/sub/cache"}));
}

TEST(TreeScan, CountsWhatAManifestHasNoRoomFor) {
    const TemporaryFolder folder;
    for (const char *name : {"one/a", "one/b", "two/sub/c", "two/sub/d", "two/sub/left.tmp"}) {
        write_file(folder / name, "1");
    }
    auto options = without({"*.tmp"});
    options.max_entries = 4;
    const Share all({(folder / "one").string(), (folder / "two").string()}, options);
    EXPECT_EQ(all.sorted_paths(), (Paths{"one", "one/a", "one/b", "two"}));
    EXPECT_EQ(all.beyond, (std::vector<std::uint32_t>{1, 1, 1}));
    EXPECT_EQ(all.excluded.size(), 1u);
    EXPECT_TRUE(all.problems.empty());
}

TEST(TreeScan, StopsToCountAfterTwiceWhatAManifestHolds) {
    const TemporaryFolder folder;
    for (int file = 0; file < 20; ++file) {
        write_file(folder / ("top/" + std::to_string(file)), "");
    }
    Share all(ScanOptions{.max_entries = 5});
    all.add({(folder / "top").string(), (folder / "top").string()});
    EXPECT_EQ(all.entries.size(), 5u);
    EXPECT_EQ(all.beyond.size(), 6u);
}

TEST(TreeScan, WhatIsLeftOutTakesNoRoom) {
    const TemporaryFolder folder;
    for (const char *name : {"top/a", "top/b", "top/c", "top/d"}) {
        write_file(folder / name, "");
        write_file(folder / (std::string(name) + ".tmp"), "");
    }
    auto options = without({"*.tmp"});
    options.max_entries = 5;
    const Share all({(folder / "top").string()}, options);
    EXPECT_EQ(all.entries.size(), 5u);
    EXPECT_TRUE(all.beyond.empty());
}

TEST(TreeScan, OffersTexts) {
    const TemporaryFolder folder;
    write_file(folder / "Text.txt", "file");
    Share all;
    all.add_items({{.text = "first"},
                   {.text = "second"},
                   {.text = "grüße", .name = "Greeting"},
                   {.path = (folder / "Text.txt").string()}});
    EXPECT_TRUE(all.problems.empty());
    ASSERT_EQ(all.entries.size(), 4u);
    for (std::size_t index = 0; index < 3; ++index) {
        const ManifestEntry &entry = all.entries[index].entry;
        EXPECT_EQ(entry.kind, EntryKind::File);
        EXPECT_TRUE(entry.text);
        EXPECT_FALSE(entry.executable);
        EXPECT_FALSE(entry.sparse);
        EXPECT_GT(entry.mtime_ns, 0);
        EXPECT_EQ(all.scan->place(all.entries[index].place).path, "");
    }
    EXPECT_EQ(all.entries[0].entry.path, "Text.txt");
    EXPECT_EQ(all.entries[0].entry.size, 5u);
    EXPECT_EQ(all.entries[1].entry.path, "Text (2).txt");
    EXPECT_EQ(all.entries[2].entry.path, "Greeting");
    EXPECT_EQ(all.entries[3].entry.path, "Text (3).txt");
    EXPECT_FALSE(all.entries[3].entry.text);
    EXPECT_EQ(all.scan->place(all.entries[1].place).text, "second");
    EXPECT_EQ(all.scan->place(all.entries[3].place).text, "");
}

TEST(TreeScan, OffersTextsOfTheLargestSizeEvenIfTheirNameIsExcluded) {
    Share all(without({"*.txt"}));
    all.add_items({{.text = std::string(kMaxTextBytes, 'x')}});
    ASSERT_EQ(all.entries.size(), 1u);
    EXPECT_EQ(all.entries[0].entry.size, kMaxTextBytes);
}

TEST(TreeScan, RefusesTextsThatCannotBeShown) {
    Share all;
    all.add_items({{.text = std::string(kMaxTextBytes + 1, 'x'), .name = "long"},
                   {.text = "bad\xff", .name = "bytes"},
                   {.name = "empty"},
                   {.text = "text", .name = "two/names"},
                   {.text = "text", .name = "../up"},
                   {.text = "text", .name = "good"}});
    EXPECT_EQ(all.problem_codes(), (Codes{{"long", ErrorCode::BadArgument},
                                          {"bytes", ErrorCode::BadArgument},
                                          {"empty", ErrorCode::BadArgument},
                                          {"two/names", ErrorCode::NameNotAllowed},
                                          {"../up", ErrorCode::NameNotAllowed}}));
    EXPECT_EQ(all.sorted_paths(), (Paths{"good"}));
    EXPECT_EQ(all.entries[0].root, 5u);
}

} // namespace
} // namespace thru::test
