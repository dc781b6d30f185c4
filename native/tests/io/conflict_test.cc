#include "io/conflict.h"

#include <gtest/gtest.h>

namespace thru {
namespace {

constexpr std::int64_t kOffered = 1'700'000'001'500'000'000;

ManifestTable table(std::uint64_t size) {
    ManifestTable manifest;
    EXPECT_TRUE(manifest.add({.path = "a.txt", .size = size, .mtime_ns = kOffered}));
    return manifest;
}

fs::FileStatus standing(fs::FileType type, std::uint64_t size, std::int64_t mtime_ns) {
    return {.type = type, .size = size, .mtime_ns = mtime_ns};
}

TEST(Conflict, NothingThereIsWritten) { EXPECT_EQ(decide({}, table(10), 0, {}), Decision::Write); }

TEST(Conflict, TheSameSizeAndTimeIsHereWithEveryPolicy) {
    const auto there = standing(fs::FileType::File, 10, kOffered);
    for (const auto policy : {ConflictPolicy::KeepBoth, ConflictPolicy::Replace,
                              ConflictPolicy::ReplaceOlder, ConflictPolicy::Skip}) {
        EXPECT_EQ(decide(there, table(10), 0, {.conflict = policy}), Decision::Here);
    }
    EXPECT_NE(decide(there, table(11), 0, {}), Decision::Here);
}

TEST(Conflict, ATimeThatAFileSystemRoundedIsTheSame) {
    // FAT keeps even seconds.
    EXPECT_TRUE(
        is_same_version(standing(fs::FileType::File, 10, 1'700'000'000'000'000'000), 10, kOffered));
    EXPECT_TRUE(
        is_same_version(standing(fs::FileType::File, 10, 1'700'000'002'000'000'000), 10, kOffered));
    EXPECT_FALSE(
        is_same_version(standing(fs::FileType::File, 10, 1'700'000'004'000'000'000), 10, kOffered));
    EXPECT_FALSE(
        is_same_version(standing(fs::FileType::File, 10, 1'700'000'001'000'000'000), 10, kOffered))
        << "an odd second is exact";
}

TEST(Conflict, ByContentOnlyTheSizeIsKnownBeforehand) {
    const auto there = standing(fs::FileType::File, 10, 5);
    EXPECT_EQ(decide(there, table(10), 0, {.compare_content = true}), Decision::CompareContent);
    EXPECT_EQ(decide(there, table(11), 0, {.compare_content = true}), Decision::WriteBeside);
    EXPECT_EQ(decide(standing(fs::FileType::File, 0, 5), table(0), 0, {.compare_content = true}),
              Decision::Here);
}

TEST(Conflict, ADifferentFileIsTreatedAsThePolicySays) {
    const auto older = standing(fs::FileType::File, 9, kOffered - 1);
    const auto newer = standing(fs::FileType::File, 9, kOffered + 1);
    const auto by = [&](ConflictPolicy policy, const fs::FileStatus &there) {
        return decide(there, table(10), 0, {.conflict = policy});
    };
    EXPECT_EQ(by(ConflictPolicy::KeepBoth, older), Decision::WriteBeside);
    EXPECT_EQ(by(ConflictPolicy::Replace, newer), Decision::WriteOver);
    EXPECT_EQ(by(ConflictPolicy::ReplaceOlder, older), Decision::WriteOver);
    EXPECT_EQ(by(ConflictPolicy::ReplaceOlder, newer), Decision::LeaveOut);
    EXPECT_EQ(by(ConflictPolicy::Skip, older), Decision::LeaveOut);
}

TEST(Conflict, FoldersAndSpecialFilesAreNeverWrittenOver) {
    for (const auto type : {fs::FileType::Folder, fs::FileType::Other}) {
        EXPECT_EQ(
            decide(standing(type, 10, 0), table(10), 0, {.conflict = ConflictPolicy::Replace}),
            Decision::WriteBeside);
    }
    EXPECT_EQ(decide(standing(fs::FileType::Link, 10, 0), table(10), 0,
                     {.conflict = ConflictPolicy::Replace}),
              Decision::WriteOver);
}

TEST(Conflict, TheSummaryCountsEveryDecision) {
    ConflictSummary summary;
    for (const auto decision : {Decision::Write, Decision::CompareContent, Decision::Here,
                                Decision::WriteOver, Decision::WriteBeside, Decision::LeaveOut}) {
        count_decision(decision, 7, summary);
    }
    EXPECT_EQ(summary.identical, 1U);
    EXPECT_EQ(summary.identical_bytes, 7U);
    EXPECT_EQ(summary.different, 3U);
    EXPECT_EQ(summary.replaced, 1U);
    EXPECT_EQ(summary.kept_both, 1U);
    EXPECT_EQ(summary.left_out, 1U);
}

} // namespace
} // namespace thru
