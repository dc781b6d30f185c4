#include "engine/file_listing.h"

#include <gtest/gtest.h>

#include "transfer/manifests.h"

namespace thru {
namespace {

FileState same_state(std::uint8_t raw) { return static_cast<FileState>(raw); }

std::uint8_t raw(FileState state) { return static_cast<std::uint8_t>(state); }

FilePage list_files(const ManifestTable &manifest, const FileStates &states,
                    const ListFiles &asked) {
    FileOrder order;
    return list_files(manifest, states, asked, order);
}

ManifestTable files(std::initializer_list<const char *> paths) {
    ManifestTable manifest;
    for (const char *path : paths) {
        EXPECT_TRUE(manifest.add({.kind = EntryKind::File, .path = path, .size = 10}));
    }
    return manifest;
}

std::vector<std::uint64_t> indexes(const FilePage &page) {
    std::vector<std::uint64_t> listed;
    for (const auto &file : page.files) {
        listed.push_back(file.index);
    }
    return listed;
}

TEST(FileListing, AFilterLeavesItsStatesAndTheCountsStay) {
    const auto manifest = files({"a", "b", "c", "d", "e"});
    const FileStates states{.raw = {raw(FileState::Saved), raw(FileState::Active),
                                    raw(FileState::Failed), raw(FileState::Gone),
                                    raw(FileState::Skipped)},
                            .state_of = same_state,
                            .under_way = {}};
    const auto page = list_files(manifest, states, {.filter = FileFilter::Problem, .limit = 10});
    EXPECT_EQ(indexes(page), (std::vector<std::uint64_t>{2}));
    EXPECT_EQ(page.total, 1U);
    EXPECT_EQ(page.counts, (std::array<std::uint64_t, kFileFilters>{4, 0, 1, 1, 1, 1}));
}

TEST(FileListing, APageBeginsAtItsOffsetAmongWhatWasFound) {
    const auto manifest = files({"Photos/A.jpg", "notes.txt", "photos/b.JPG", "photos/c.jpg"});
    const FileStates states{.raw = std::vector<std::uint8_t>(4, raw(FileState::Waiting)),
                            .state_of = same_state,
                            .under_way = {}};
    const auto found = list_files(manifest, states, {.query = ".JPG", .offset = 1, .limit = 1});
    EXPECT_EQ(found.total, 3U);
    EXPECT_EQ(indexes(found), (std::vector<std::uint64_t>{2}));
    const auto behind = list_files(manifest, states, {.offset = 1'000'000, .limit = 1000});
    EXPECT_EQ(behind.total, 4U);
    EXPECT_TRUE(behind.files.empty());
}

TEST(FileListing, FoldersComeFirstAndNumbersCountAlsoWhenMoreIsAdded) {
    auto manifest = files({"img10.jpg", "img9.jpg", "b/2.txt", "B.txt", "b/10.txt", "a/x"});
    const auto states = [](std::size_t count) {
        return FileStates{.raw = std::vector<std::uint8_t>(count, raw(FileState::Waiting)),
                          .state_of = same_state,
                          .under_way = {}};
    };
    FileOrder order;
    const auto page = list_files(manifest, states(6), {.limit = 10}, order);
    EXPECT_EQ(indexes(page), (std::vector<std::uint64_t>{5, 2, 4, 3, 1, 0}));
    ASSERT_TRUE(manifest.add({.kind = EntryKind::File, .path = "b/3.txt", .size = 10}));
    const auto grown = list_files(manifest, states(7), {.offset = 1, .limit = 3}, order);
    EXPECT_EQ(indexes(grown), (std::vector<std::uint64_t>{2, 6, 4}));
    EXPECT_EQ(grown.total, 7U);
}

TEST(FileListing, FoldersAndLinksAreListedOnlyWhenTheyFailed) {
    ManifestTable manifest;
    ASSERT_TRUE(manifest.add({.kind = EntryKind::Folder, .path = "d"}));
    ASSERT_TRUE(manifest.add({.kind = EntryKind::Folder, .path = "e"}));
    const FileStates states{.raw = {raw(FileState::Waiting), raw(FileState::Failed)},
                            .state_of = same_state,
                            .under_way = {}};
    const auto page = list_files(manifest, states, {.limit = 10});
    EXPECT_EQ(indexes(page), (std::vector<std::uint64_t>{1}));
}

TEST(FileListing, WhatIsUnderWayIsActiveWhateverWasPlannedOfIt) {
    const auto manifest = files({"a", "b", "c", "d", "e"});
    const FileStates states{
        .raw = {raw(FileState::Sent), raw(FileState::Sent), raw(FileState::Waiting),
                raw(FileState::Waiting), raw(FileState::Skipped)},
        .state_of = same_state,
        // A batch with b in it, a piece of d, and one of the skipped e.
        .under_way = {
            {.first = 3, .count = 1}, {.first = 1, .count = 2}, {.first = 4, .count = 1}}};
    const auto page = list_files(manifest, states, {.filter = FileFilter::Active, .limit = 10});
    EXPECT_EQ(indexes(page), (std::vector<std::uint64_t>{1, 3}));
}

} // namespace
} // namespace thru
