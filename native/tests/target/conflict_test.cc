#include "target/existing/conflict.h"

#include <limits>
#include <memory>

#include <gtest/gtest.h>

namespace thru {
namespace {

constexpr std::int64_t kOffered = 1'700'000'001'500'000'000;

ManifestTable file_table(std::uint64_t size) {
    ManifestTable manifest;
    EXPECT_TRUE(manifest.add({.path = "a.txt", .size = size, .mtime_ns = kOffered}));
    return manifest;
}

fs::FileStatus existing_at(fs::FileType type, std::uint64_t size, std::int64_t mtime_ns) {
    return {.type = type, .size = size, .mtime_ns = mtime_ns};
}

TEST(Conflict, AFreePlaceIsWritten) {
    EXPECT_EQ(decide({}, file_table(10), 0, {}), Decision::Write);
}

TEST(Conflict, TheSameSizeAndTimeIsPresentWithEveryPolicy) {
    const auto existing = existing_at(fs::FileType::File, 10, kOffered);
    for (const auto policy : {ConflictPolicy::KeepBoth, ConflictPolicy::Replace,
                              ConflictPolicy::ReplaceOlder, ConflictPolicy::Skip}) {
        EXPECT_EQ(decide(existing, file_table(10), 0, {.conflict = policy}), Decision::Present);
    }
    EXPECT_NE(decide(existing, file_table(11), 0, {}), Decision::Present);
}

TEST(Conflict, ATimeThatAFileSystemRoundedIsTheSame) {
    // FAT keeps even seconds.
    EXPECT_TRUE(is_same_version(existing_at(fs::FileType::File, 10, 1'700'000'000'000'000'000), 10,
                                kOffered));
    EXPECT_TRUE(is_same_version(existing_at(fs::FileType::File, 10, 1'700'000'002'000'000'000), 10,
                                kOffered));
    EXPECT_FALSE(is_same_version(existing_at(fs::FileType::File, 10, 1'700'000'004'000'000'000), 10,
                                 kOffered));
    EXPECT_FALSE(is_same_version(existing_at(fs::FileType::File, 10, 1'700'000'003'000'000'000), 10,
                                 kOffered))
        << "an odd second is no FAT time";
    EXPECT_TRUE(is_same_time(1'700'000'001'123'456'789, 1'700'000'001'000'000'000)) << "1 s";
    EXPECT_TRUE(is_same_time(1'700'000'001'123'456'789, 1'700'000'001'120'000'000)) << "exFAT";
    EXPECT_TRUE(is_same_time(1'700'000'001'123'456'789, 1'700'000'001'123'456'700)) << "NTFS";
    EXPECT_FALSE(is_same_time(1'700'000'001'123'456'789, 1'700'000'001'123'456'600));
    EXPECT_FALSE(is_same_time(1'700'000'001'123'456'789, 1'700'000'001'123'456'788)) << "exact";
    EXPECT_TRUE(is_same_time(-1'500'000'000, -2'000'000'000)) << "before 1970";
}

TEST(Conflict, ByContentOnlyTheSizeIsKnownBeforehand) {
    const auto existing = existing_at(fs::FileType::File, 10, 5);
    EXPECT_EQ(decide(existing, file_table(10), 0, {.compare_content = true}),
              Decision::CompareContent);
    EXPECT_EQ(decide(existing, file_table(11), 0, {.compare_content = true}),
              Decision::WriteBeside);
    EXPECT_EQ(
        decide(existing_at(fs::FileType::File, 0, 5), file_table(0), 0, {.compare_content = true}),
        Decision::Present);
}

TEST(Conflict, ADifferentFileIsTreatedAsThePolicySays) {
    const auto older = existing_at(fs::FileType::File, 9, kOffered - 1);
    const auto newer = existing_at(fs::FileType::File, 9, kOffered + 1);
    const auto rounded = existing_at(fs::FileType::File, 9, kOffered - 500'000'000);
    const auto by = [&](ConflictPolicy policy, const fs::FileStatus &existing) {
        return decide(existing, file_table(10), 0, {.conflict = policy});
    };
    EXPECT_EQ(by(ConflictPolicy::KeepBoth, older), Decision::WriteBeside);
    EXPECT_EQ(by(ConflictPolicy::Replace, newer), Decision::WriteOver);
    EXPECT_EQ(by(ConflictPolicy::ReplaceOlder, older), Decision::WriteOver);
    EXPECT_EQ(by(ConflictPolicy::ReplaceOlder, newer), Decision::LeaveOut);
    EXPECT_EQ(by(ConflictPolicy::ReplaceOlder, rounded), Decision::LeaveOut);
    EXPECT_EQ(by(ConflictPolicy::Skip, older), Decision::LeaveOut);
}

TEST(Conflict, WhatWasDecidedForOneFileCountsForThatFileOnly) {
    ManifestTable manifest;
    ASSERT_TRUE(manifest.add({.path = "a/one", .size = 10, .mtime_ns = kOffered}));
    ASSERT_TRUE(manifest.add({.path = "a/two", .size = 10, .mtime_ns = kOffered}));
    const ReceiveOptions options{
        .conflict = ConflictPolicy::Replace,
        .choices = std::make_shared<const ConflictChoices>(
            ConflictChoices{{"a/one", ConflictPolicy::Skip}, {"two", ConflictPolicy::KeepBoth}})};
    const auto existing = existing_at(fs::FileType::File, 9, kOffered - 1);
    EXPECT_EQ(decide(existing, manifest, 0, options), Decision::LeaveOut);
    EXPECT_EQ(decide(existing, manifest, 1, options), Decision::WriteOver);
    EXPECT_EQ(decide({}, manifest, 0, options), Decision::Write) << "the place is free";
    EXPECT_EQ(decide(existing_at(fs::FileType::File, 10, kOffered), manifest, 0, options),
              Decision::Present)
        << "the same file";
}

TEST(Conflict, FoldersAndSpecialFilesAreNeverWrittenOver) {
    for (const auto type : {fs::FileType::Folder, fs::FileType::Other}) {
        for (const auto policy :
             {ConflictPolicy::Replace, ConflictPolicy::Update, ConflictPolicy::ReplaceOlder}) {
            EXPECT_EQ(decide(existing_at(type, 10, 0), file_table(10), 0, {.conflict = policy}),
                      Decision::Blocked);
        }
    }
    EXPECT_EQ(decide(existing_at(fs::FileType::Link, 10, 0), file_table(10), 0,
                     {.conflict = ConflictPolicy::Replace}),
              Decision::WriteOver);
}

TEST(Conflict, ALinkIsComparedWithALinkOnly) {
    ManifestTable manifest;
    ASSERT_TRUE(manifest.add({.kind = EntryKind::Link, .path = "a/l", .target = "b"}));
    const auto by = [&](fs::FileType type, ConflictPolicy policy) {
        return decide(existing_at(type, 0, 0), manifest, 0, {.conflict = policy});
    };
    EXPECT_EQ(by(fs::FileType::Link, ConflictPolicy::Skip), Decision::CompareContent);
    EXPECT_EQ(by(fs::FileType::File, ConflictPolicy::Skip), Decision::LeaveOut);
    EXPECT_EQ(by(fs::FileType::File, ConflictPolicy::Replace), Decision::WriteOver);
    EXPECT_EQ(by(fs::FileType::Folder, ConflictPolicy::Replace), Decision::Blocked);
    EXPECT_EQ(decide({}, manifest, 0, {}), Decision::Write);
}

TEST(Conflict, TimesAtTheEndsOfTheirRangeAreCompared) {
    constexpr auto kFirst = std::numeric_limits<std::int64_t>::min();
    constexpr auto kLast = std::numeric_limits<std::int64_t>::max();
    EXPECT_FALSE(is_same_time(kFirst, kLast));
    EXPECT_FALSE(is_same_time(kLast, kFirst));
    EXPECT_TRUE(is_newer(kLast, kFirst));
    EXPECT_TRUE(is_same_time(kLast, kLast));
}

TEST(Conflict, TheSummaryCountsEveryDecision) {
    ConflictSummary summary;
    for (const auto decision :
         {Decision::Write, Decision::CompareContent, Decision::Present, Decision::WriteOver,
          Decision::WriteBeside, Decision::LeaveOut, Decision::Blocked}) {
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
