#include <gtest/gtest.h>

#include "target/local_transfer.h"
#include "target/preflights.h"
#include "transfer/manifests.h"

namespace thru {
namespace {

using namespace test;

TEST(Preflight, OfAMissingFolderReportsNeededAndFreeBytes) {
    TemporaryFolder folder;
    const auto manifest = table({offered("a/x", 5), offered("b", 7)});
    const auto found = preflight_of(folder / "not/there/yet", manifest);
    EXPECT_FALSE(found.exists);
    EXPECT_EQ(found.needed_bytes, 12U);
    EXPECT_GT(found.free_bytes, 0U);
    EXPECT_EQ(found.conflicts.different + found.conflicts.identical, 0U);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "nothing is made";
}

TEST(Preflight, NeedsRoomForOneOfTheNamesOfAFile) {
    const TemporaryFolder folder;
    auto manifest = table({offered("a", 5), offered("b", 5), offered("c", 5)});
    manifest.set_hard_links({{1, 0}, {2, 0}});
    EXPECT_EQ(preflight_of(folder.path(), manifest).needed_bytes, 5U);
    EXPECT_EQ(preflight_of(folder.path(), manifest, {}, {{1, 1}}).needed_bytes, 5U);
    EXPECT_EQ(preflight_of(folder.path(), manifest, {}, {{0, 2}}).needed_bytes, 5U);
}

TEST(Preflight, DistinguishesIdenticalFilesFromDifferentOnes) {
    TemporaryFolder folder;
    write_at_time(folder / "a/same", "12345");
    write_at_time(folder / "a/other size", "1234");
    write_at_time(folder / "a/older", "12345", kTime - kTick);
    write_at_time(folder / "a/newer", "12345", kTime + kTick);
    const auto before = test::snapshot(folder.path());
    const auto manifest = table({{.kind = EntryKind::Folder, .path = "a"},
                                 offered("a/same", 5),
                                 offered("a/other size", 5),
                                 offered("a/older", 5),
                                 offered("a/newer", 5),
                                 offered("a/missing", 5),
                                 offered("a/missing too/x", 5),
                                 offered("a/missing too/deeper/x", 5)});
    const auto found = preflight_of(folder.path(), manifest);
    EXPECT_TRUE(found.exists);
    EXPECT_EQ(found.conflicts.identical, 1U);
    EXPECT_EQ(found.conflicts.identical_bytes, 5U);
    EXPECT_EQ(found.conflicts.different, 3U);
    EXPECT_EQ(found.conflicts.kept_both, 3U);
    EXPECT_EQ(found.needed_bytes, 30U);
    ASSERT_EQ(found.listed_conflicts.size(), 3U);
    EXPECT_EQ(found.listed_conflicts[0].index, 2U);
    EXPECT_EQ(found.listed_conflicts[0].existing_bytes, 4U);
    EXPECT_EQ(found.listed_conflicts[1].existing_mtime_ns, kTime - kTick);
    EXPECT_TRUE(found.listed_conflicts[1].offered_is_newer);
    EXPECT_FALSE(found.listed_conflicts[2].offered_is_newer);
    EXPECT_EQ(test::snapshot(folder.path()), before) << "nothing is changed";
}

TEST(Preflight, TakesNoLockThatAReceiveWaitsFor) {
    TemporaryFolder folder;
    const auto manifest = test::files_of(1, 3 << 20);
    const auto received = test::open_in(folder.path(), manifest);
    const std::string data(1 << 20, 'x');
    ASSERT_TRUE(
        test::write_segment(received, test::segment_stream({{0, 0, 1 << 20}}, data)).whole());
    // The journal is locked now, but can still be read.
    EXPECT_EQ(preflight_target(folder.path().string(), *manifest, 1, {}, {})->resumed_bytes,
              1U << 20);
}

TEST(Preflight, CountsAsThePolicySays) {
    TemporaryFolder folder;
    write_at_time(folder / "older", "1", kTime - kTick);
    write_at_time(folder / "newer", "1", kTime + kTick);
    const auto manifest = table({offered("older", 10), offered("newer", 100)});
    const auto by = [&](ConflictPolicy policy) {
        return preflight_of(folder.path(), manifest, {.conflict = policy});
    };
    EXPECT_EQ(by(ConflictPolicy::KeepBoth).needed_bytes, 110U);
    EXPECT_EQ(by(ConflictPolicy::Replace).conflicts.replaced, 2U);
    EXPECT_EQ(by(ConflictPolicy::Replace).needed_bytes, 110U);
    EXPECT_EQ(by(ConflictPolicy::ReplaceOlder).conflicts.replaced, 1U);
    EXPECT_EQ(by(ConflictPolicy::ReplaceOlder).conflicts.left_out, 1U);
    EXPECT_EQ(by(ConflictPolicy::ReplaceOlder).needed_bytes, 10U);
    EXPECT_EQ(by(ConflictPolicy::Skip).conflicts.left_out, 2U);
    EXPECT_EQ(by(ConflictPolicy::Skip).needed_bytes, 0U);
}

TEST(Preflight, CountsTheFilesOfWhichOnlyPartsAreReceived) {
    TemporaryFolder folder;
    for (const char *name : {"image", "short", "same"}) {
        write_at_time(folder / name, std::string(name[1] == 'h' ? 10 : kMinBasisBytes, 'x'));
    }
    const auto manifest =
        table({offered("image", 5 * kMinBasisBytes, kTime + kTick),
               offered("short", kMinBasisBytes, kTime + kTick), offered("same", kMinBasisBytes)});
    const auto found = preflight_of(folder.path(), manifest, {.conflict = ConflictPolicy::Update});
    EXPECT_EQ(found.updated_files, 1U);
    EXPECT_EQ(found.updated_bytes, 5 * kMinBasisBytes);
    EXPECT_EQ(
        preflight_of(folder.path(), manifest, {.conflict = ConflictPolicy::Replace}).updated_files,
        0U);
}

TEST(Preflight, CountsWhatWasDecidedForSingleFiles) {
    TemporaryFolder folder;
    write_file(folder / "in/a", "older");
    write_file(folder / "in/b", "older");
    const auto manifest = table({offered("in/a", 100), offered("in/b", 20)});
    const ReceiveOptions options{
        .conflict = ConflictPolicy::Replace,
        .choices = std::make_shared<const ConflictChoices>(
            ConflictChoices{{"in/a", ConflictPolicy::Skip}, {"gone", ConflictPolicy::Skip}})};
    const auto found = preflight_of(folder.path(), manifest, options);
    EXPECT_EQ(found.conflicts.left_out, 1U);
    EXPECT_EQ(found.conflicts.replaced, 1U);
    EXPECT_EQ(found.needed_bytes, 20U);
    EXPECT_EQ(found.listed_conflicts.size(), 2U) << "a choice can be changed";
}

TEST(Preflight, TakesTheTimeForTheContentThatItDoesNotKnowYet) {
    TemporaryFolder folder;
    write_at_time(folder / "same", "1");
    write_at_time(folder / "touched", "1", kTime + kTick);
    const auto found =
        preflight_of(folder.path(), table({offered("same", 1), offered("touched", 1)}),
                     {.compare_content = true});
    EXPECT_EQ(found.conflicts.identical, 1U);
    EXPECT_EQ(found.conflicts.different, 1U);
}

TEST(Preflight, LooksOnlyAtWhatIsWanted) {
    TemporaryFolder folder;
    write_at_time(folder / "b", "1");
    const auto manifest =
        table({offered("a", 1), offered("b", 20), offered("c", 300), offered("d", 4000)});
    const auto found = preflight_of(folder.path(), manifest, {},
                                    {{.first = 1, .count = 1}, {.first = 3, .count = 5}});
    EXPECT_EQ(found.needed_bytes, 301U);
    EXPECT_EQ(found.conflicts.different, 0U);
}

TEST(Preflight, NeedsNoRoomForTextsLinksAndHoles) {
    TemporaryFolder folder;
    const auto manifest = table({{.text = true, .path = "text.txt", .size = 10},
                                 {.sparse = true, .path = "disk.img", .size = 1ULL << 40},
                                 {.kind = EntryKind::Link, .path = "a/l", .target = "b"},
                                 {.kind = EntryKind::Gone}});
    EXPECT_EQ(preflight_of(folder.path(), manifest).needed_bytes, 0U);
}

TEST(Preflight, RefusesWhatIsNoFolder) {
    TemporaryFolder folder;
    write_file(folder / "file", "");
    const auto manifest = table({offered("a", 1)});
    for (const char *target : {"file", "file/below"}) {
        const auto found = preflight_target((folder / target).string(), manifest, 1, {}, {});
        ASSERT_FALSE(found) << target;
        EXPECT_EQ(found.error().code, ErrorCode::TargetNotWritable);
    }
}

TEST(Preflight, RefusesABadManifest) {
    TemporaryFolder folder;
    const auto found =
        preflight_target(folder.path().string(), table({offered("../x", 1)}), 1, {}, {});
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::BadManifest);
}

TEST(Preflight, LooksWhereMappedNamesGo) {
    TemporaryFolder folder;
    write_at_time(folder / "_CON/a_", "1");
    const auto found =
        preflight_of(folder.path(), table({offered("CON/a?", 1)}), {.portable_names = true});
    EXPECT_EQ(found.conflicts.identical, 1U);
    // The folder is not an entry.
    EXPECT_EQ(found.mapped_names, 2U);
    ASSERT_EQ(found.listed_names.size(), 2U);
    EXPECT_EQ(found.listed_names[0].written_as, "_CON");
    EXPECT_EQ(found.listed_names[1].written_as, "_CON/a_");
}

TEST(Preflight, ListsSoManyConflictsAndCountsTheRest) {
    TemporaryFolder folder;
    ManifestTable manifest;
    for (std::size_t file = 0; file < kMaxListedNames + 5; ++file) {
        const std::string name = std::to_string(file);
        write_file(folder / name, "");
        ASSERT_TRUE(manifest.add(offered(name, 1)));
    }
    const auto found = preflight_of(folder.path(), manifest);
    EXPECT_EQ(found.conflicts.different, kMaxListedNames + 5);
    EXPECT_EQ(found.listed_conflicts.size(), kMaxListedNames);
}

} // namespace
} // namespace thru
