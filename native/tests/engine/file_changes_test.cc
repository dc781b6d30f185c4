#include "engine/file_changes.h"

#include <gtest/gtest.h>

namespace thru {
namespace {

FileStates states_of(std::initializer_list<FileState> states) {
    FileStates all{.raw = {},
                   .state_of = [](std::uint8_t raw) { return static_cast<FileState>(raw); },
                   .under_way = {}};
    for (const auto state : states) {
        all.raw.push_back(static_cast<std::uint8_t>(state));
    }
    return all;
}

ManifestTable manifest_of(std::size_t files) {
    ManifestTable manifest;
    for (std::size_t file = 0; file < files; ++file) {
        EXPECT_TRUE(manifest.add(
            {.kind = EntryKind::File, .path = "f" + std::to_string(file), .size = file}));
    }
    return manifest;
}

TEST(FileChanges, AFileIsToldOnceWhenItIsDone) {
    const auto manifest = manifest_of(4);
    std::vector<FileState> known;
    using enum FileState;
    const auto first = changes_of(manifest, states_of({Saved, Active, Waiting, Skipped}), known);
    ASSERT_EQ(first.files.size(), 2U);
    EXPECT_EQ(first.files[0].path, "f0");
    EXPECT_EQ(first.files[1].state, Skipped);
    EXPECT_EQ(first.active, std::vector<std::string>{"f1"});
    const auto second = changes_of(manifest, states_of({Saved, Saved, Failed, Skipped}), known);
    ASSERT_EQ(second.files.size(), 2U);
    EXPECT_EQ(second.files[0].path, "f1");
    EXPECT_EQ(second.files[1].path, "f2");
    EXPECT_EQ(second.active_files, 0U);
    EXPECT_TRUE(
        changes_of(manifest, states_of({Saved, Saved, Failed, Skipped}), known).files.empty());
}

TEST(FileChanges, ManyAtOnceAreCounted) {
    constexpr std::size_t kFiles = 100'000;
    const auto manifest = manifest_of(kFiles);
    std::vector<FileState> known;
    auto all = states_of({});
    all.raw.assign(kFiles, static_cast<std::uint8_t>(FileState::Sent));
    const auto changes = changes_of(manifest, all, known);
    EXPECT_LE(changes.files.size(), 500U);
    EXPECT_EQ(changes.files.size() + changes.more, kFiles);
}

TEST(FileChanges, AGrowingOfferIsFollowed) {
    const auto manifest = manifest_of(2);
    std::vector<FileState> known;
    using enum FileState;
    EXPECT_EQ(changes_of(manifest, states_of({Saved}), known).files.size(), 1U);
    EXPECT_EQ(changes_of(manifest, states_of({Saved, Present}), known).files.size(), 1U);
}

} // namespace
} // namespace thru
