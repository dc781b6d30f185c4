#include "transfer/manifest_table.h"

#include <limits>

#include "transfer/manifests.h"

namespace thru::test {
namespace {

TEST(ManifestTable, GivesBackWhatWasAdded) {
    const ManifestEntry script{.kind = EntryKind::File,
                               .executable = true,
                               .path = "tools/run.sh",
                               .size = (1ULL << 40) + 7,
                               .mtime_ns = -5};
    const auto table = manifest_of({folder("tools"), script, file("", 0)});
    EXPECT_EQ(table->size(), 3u);
    EXPECT_EQ(table->entry(0), folder("tools"));
    EXPECT_EQ(table->entry(1), script);
    EXPECT_EQ(table->path(2), "");
    EXPECT_EQ(table->files(), 2u);
    EXPECT_EQ(table->folders(), 1u);
    EXPECT_EQ(table->bytes(), (1ULL << 40) + 7);
}

TEST(ManifestTable, KeepsEveryKindOfEntry) {
    ManifestEntry text = file("note", 12);
    text.text = true;
    const auto table =
        manifest_of({text, gone(), test::sparse_file("disk.img", 99), link("here", "there/it"),
                     link("l", std::string(kMaxPathBytes, 't'))});
    EXPECT_EQ(table->entry(0), text);
    EXPECT_EQ(table->entry(1), gone());
    EXPECT_EQ(table->entry(2), test::sparse_file("disk.img", 99));
    EXPECT_EQ(table->entry(3), link("here", "there/it"));
    EXPECT_EQ(table->path(3), "here");
    EXPECT_EQ(table->target(4), std::string(kMaxPathBytes, 't'));
    EXPECT_EQ(table->files(), 2u);
    EXPECT_EQ(table->links(), 2u);
    EXPECT_EQ(table->folders(), 0u);
    EXPECT_EQ(table->bytes(), 111u);
}

TEST(ManifestTable, KeepsPathsThatFillManyBlocks) {
    ManifestTable table;
    const auto path = [](std::size_t index) {
        return std::string(1 + index % kMaxPathBytes, static_cast<char>('a' + index % 26));
    };
    for (std::size_t index = 0; index < 3000; ++index) {
        ASSERT_TRUE(table.add(file(path(index), index)));
    }
    for (std::size_t index = 0; index < 3000; ++index) {
        ASSERT_EQ(table.path(index), path(index));
    }
}

TEST(ManifestTable, RefusesSizesThatDoNotFitOneNumber) {
    ManifestTable table;
    EXPECT_TRUE(table.add(file("most", kMaxTotalBytes - 1)));
    EXPECT_EQ(table.add(file("more", 2)).error().code, ErrorCode::LimitExceeded);
    EXPECT_EQ(table.add(file("huge", std::numeric_limits<std::uint64_t>::max())).error().code,
              ErrorCode::LimitExceeded);
    EXPECT_TRUE(table.add(file("last", 1)));
    EXPECT_EQ(table.file_size(0), kMaxTotalBytes - 1);
    EXPECT_EQ(table.bytes(), kMaxTotalBytes);
    EXPECT_EQ(table.size(), 2u);
}

TEST(ManifestTable, RefusesAnEntryMoreThanAManifestHolds) {
    ManifestTable table;
    const ManifestEntry entry = file("a/file", 1);
    for (std::uint64_t index = 0; index < kMaxManifestEntries; ++index) {
        ASSERT_TRUE(table.add(entry));
    }
    EXPECT_EQ(table.add(entry).error().code, ErrorCode::LimitExceeded);
    EXPECT_EQ(table.size(), kMaxManifestEntries);
}

TEST(ManifestTable, RefusesMorePathBytesThanItMayKeep) {
    ManifestTable table;
    const ManifestEntry entry = file(std::string(kMaxPathBytes, 'x'), 1);
    std::uint64_t added = 0;
    while (table.add(entry)) {
        ++added;
    }
    EXPECT_EQ(added, kMaxManifestPathBytes / kMaxPathBytes);
    EXPECT_EQ(table.add(file(std::string(kMaxPathBytes + 1, 'x'), 1)).error().code,
              ErrorCode::LimitExceeded);
    EXPECT_EQ(table.add(link("", std::string(kMaxPathBytes, 'x'))).error().code,
              ErrorCode::LimitExceeded);
}

TEST(ManifestTable, FindsRoomForLongNamesUpToTheLastByte) {
    ManifestTable table;
    // Nearly two longest names per entry leave the most space unused at the end of a block.
    const ManifestEntry entry =
        link(std::string(kMaxPathBytes, 'p'), std::string(kMaxPathBytes - 1, 't'));
    std::uint64_t added = 0;
    while (table.add(entry)) {
        ++added;
    }
    EXPECT_EQ(added, kMaxManifestPathBytes / (2 * kMaxPathBytes - 1));
    EXPECT_EQ(table.entry(added - 1), entry);
}

TEST(ManifestTable, SumsUpWhatStandsAtTheTop) {
    const auto table = manifest_of({folder("photos"), file("photos/a.jpg", 10), file("note", 5),
                                    folder("photos/2024"), file("photos/2024/b.jpg", 20),
                                    file("deep/only/file", 1), folder("empty")});
    const auto sum = table->summary({.count = table->size()}, 10);
    const auto &items = sum.items;
    ASSERT_EQ(items.size(), 4u);
    EXPECT_EQ(items[0].name, "photos");
    EXPECT_EQ(items[0].kind, EntryKind::Folder);
    EXPECT_EQ(items[0].files, 2u);
    EXPECT_EQ(items[0].bytes, 30u);
    EXPECT_EQ(items[1].name, "note");
    EXPECT_EQ(items[1].kind, EntryKind::File);
    EXPECT_EQ(items[2].kind, EntryKind::Folder);
    EXPECT_EQ(items[3].files, 0u);
    EXPECT_EQ(sum.files, 4u);
    EXPECT_EQ(sum.folders, 3u);
    EXPECT_EQ(sum.bytes, 36u);
    const auto first = table->summary({.count = table->size()}, 1);
    ASSERT_EQ(first.items.size(), 1u);
    EXPECT_EQ(first.items[0].files, 2u);
    EXPECT_EQ(first.files, 4u) << "also those that are not listed";
    EXPECT_EQ(table->summary({.count = 2}, 10).items.size(), 1u);
}

TEST(ManifestTable, NoticesNamesWithADotThatAreNotListed) {
    for (const auto *path : {".bashrc", "a/.hidden", "project/.git/hooks/post-merge"}) {
        const auto table = test::files_of(1000, 0);
        ASSERT_TRUE(table->add(file("a/b.c/d.", 1)));
        ASSERT_TRUE(table->add(file("a/.DS_Store", 1)));
        ASSERT_TRUE(table->add(file(path, 1)));
        EXPECT_FALSE(table->summary({.count = 1002}, 1000).dot_names);
        const auto sum = table->summary({.count = 1003}, 1000);
        EXPECT_TRUE(sum.dot_names) << path;
        EXPECT_EQ(sum.items.size(), 1000u);
        EXPECT_TRUE(table->summary({.first = 1002, .count = 1}, 0).dot_names);
        EXPECT_FALSE(
            table->summary({.count = 1003}, 1000, {{.first = 1002, .count = 1}}).dot_names);
    }
}

TEST(ManifestTable, LeavesOutWhatIsGoneOrRemovedAtTheTop) {
    const auto table = manifest_of({file("a", 1), gone(), folder("b"), file("b/c", 5),
                                    file("b/d", 6), link("e", "a"), file("f", 7)});
    const auto sum = table->summary({.count = table->size()}, 10,
                                    {{.first = 0, .count = 1}, {.first = 4, .count = 1}});
    const auto &items = sum.items;
    EXPECT_EQ(sum.files, 2u);
    EXPECT_EQ(sum.bytes, 12u);
    ASSERT_EQ(items.size(), 3u);
    EXPECT_EQ(items[0].name, "b");
    EXPECT_EQ(items[0].files, 1u);
    EXPECT_EQ(items[0].bytes, 5u);
    EXPECT_EQ(items[1].kind, EntryKind::Link);
    EXPECT_EQ(items[2].name, "f");
}

} // namespace
} // namespace thru::test
