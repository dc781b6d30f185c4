#include "target/ledger/dirty_set.h"

#include <gtest/gtest.h>

namespace thru {
namespace {

std::shared_ptr<LargePart> large_part(std::uint64_t index) {
    return std::make_shared<LargePart>(index);
}

TEST(DirtySet, TakesWhatWasWrittenOnce) {
    DirtySet dirty;
    const auto part = large_part(3);
    dirty.add_extent(part, {.offset = 0, .length = 8});
    dirty.add_extent(part, {.offset = 8, .length = 8});
    dirty.add_batch({.members = {{.index = 4}}});

    const DirtyData taken = dirty.take();
    ASSERT_EQ(taken.parts.size(), 1U);
    EXPECT_EQ(taken.parts[0].part, part);
    EXPECT_EQ(taken.parts[0].extents.size(), 2U);
    EXPECT_EQ(taken.batches.size(), 1U);

    const DirtyData next = dirty.take();
    EXPECT_TRUE(next.parts.empty());
    EXPECT_TRUE(next.batches.empty());
}

TEST(DirtySet, TakesOnlyTheLargeFilesThatAreAskedFor) {
    DirtySet dirty;
    dirty.add_extent(large_part(1), {.offset = 0, .length = 8});
    dirty.add_extent(large_part(2), {.offset = 0, .length = 8});

    const DirtyData taken = dirty.take({2, 5});
    ASSERT_EQ(taken.parts.size(), 1U);
    EXPECT_EQ(taken.parts[0].part->index(), 2U);
    EXPECT_EQ(dirty.take().parts.size(), 1U);
}

TEST(DirtySet, SyncsProgressAndKeepsItUntilItEnds) {
    DirtySet dirty;
    const auto part = large_part(1);
    dirty.add_progress(part, 0, 4);
    EXPECT_EQ(dirty.take().parts.size(), 1U);
    EXPECT_EQ(dirty.end_progress(1, 0), 4U);
    EXPECT_EQ(dirty.end_progress(1, 0), std::nullopt);

    dirty.add_progress(part, 0, 4);
    dirty.add_extent(part, {.offset = 0, .length = 8});
    EXPECT_EQ(dirty.end_progress(1, 0), std::nullopt);
}

TEST(DirtySet, TakesNothingOfForgottenFiles) {
    DirtySet dirty;
    dirty.add_extent(large_part(1), {.offset = 0, .length = 8});
    dirty.forget(1);
    EXPECT_TRUE(dirty.take().parts.empty());
}

TEST(DirtySet, LosesWithAFailedSyncWhatWasWrittenToThePartMeanwhile) {
    DirtySet dirty;
    const auto part = large_part(1);
    dirty.add_extent(part, {.offset = 0, .length = 8});
    DirtyData lost = dirty.take();
    dirty.add_extent(part, {.offset = 8, .length = 8});
    dirty.add_progress(part, 16, 20);
    dirty.add_extent(large_part(2), {.offset = 0, .length = 8});

    dirty.lose(lost, false);
    EXPECT_EQ(dirty.generation(), 1U);
    ASSERT_EQ(lost.parts.size(), 1U);
    EXPECT_EQ(lost.parts[0].extents.size(), 2U);
    EXPECT_EQ(lost.parts[0].progress.size(), 1U);
    EXPECT_EQ(dirty.end_progress(1, 16), std::nullopt);
    EXPECT_EQ(dirty.take().parts.size(), 1U) << "the other file is not lost";
}

TEST(DirtySet, LosesEverythingWithTheDisk) {
    DirtySet dirty;
    DirtyData lost = dirty.take();
    dirty.add_extent(large_part(1), {.offset = 0, .length = 8});
    dirty.add_batch({.members = {{.index = 2}}});

    dirty.lose(lost, true);
    ASSERT_EQ(lost.parts.size(), 1U);
    EXPECT_EQ(lost.parts[0].extents.size(), 1U);
    EXPECT_EQ(lost.batches.size(), 1U);
    const DirtyData next = dirty.take();
    EXPECT_TRUE(next.parts.empty());
    EXPECT_TRUE(next.batches.empty());
}

/// The file was removed and is received again.
TEST(DirtySet, LosesNothingOfAnotherPartOfTheEntry) {
    DirtySet dirty;
    dirty.add_extent(large_part(1), {.offset = 0, .length = 8});
    DirtyData lost = dirty.take();
    dirty.add_extent(large_part(1), {.offset = 8, .length = 8});

    dirty.lose(lost, false);
    EXPECT_EQ(lost.parts[0].extents.size(), 1U);
    EXPECT_EQ(dirty.take().parts.size(), 1U);
}

} // namespace
} // namespace thru
