// Temporary refusals of a disk: names held by other programs, and a full disk.
#include <gtest/gtest.h>

#include "crash/receive_scenario.h"
#include "support/prepare_folder.h"
#include "target/fake_sender.h"
#include "transfer/manifests.h"

namespace thru::test {
namespace {

using fs::ErrorKind;

class ReceivePatienceTest : public testing::Test {
protected:
    ReceivePatienceTest() { disk_.put_folder("/home"); }

    std::shared_ptr<ReceiveFolder> open(std::shared_ptr<const ManifestTable> manifest) {
        const auto entries = manifest->size();
        auto folder =
            ReceiveFolder::open(kTarget, std::move(manifest), {}, {.share = {1}, .origin = {2}});
        EXPECT_TRUE(folder);
        auto prepared = test::prepare(**folder, 0, entries, {});
        EXPECT_TRUE(prepared);
        here_ = prepared->present;
        have_ = prepared->have;
        return *folder;
    }
    static std::unique_ptr<SegmentWriter> write(const std::shared_ptr<ReceiveFolder> &folder,
                                                const SegmentPlan &plan, const std::string &data) {
        Bytes header;
        encode_segment_header(plan, header);
        auto writer = std::make_unique<SegmentWriter>(folder, plan, header);
        EXPECT_TRUE(writer->write(test::data_and_hash(header, data)));
        return writer;
    }

    /// Publishes a file whose folder can't be synced.
    std::shared_ptr<ReceiveFolder> commit_without_names() {
        auto folder = open(test::manifest_of({test::file("d/f", 3)}));
        EXPECT_EQ(write(folder, {{0, 0, 3}}, "abc")->outcome(), SegmentOutcome::Verified);
        disk_.fail(SimCall::SyncFolder, ErrorKind::Io);
        folder->add_complete({0});
        EXPECT_EQ(folder->commit().published.size(), 1U);
        EXPECT_EQ(disk_.unused_faults(), 0U);
        return folder;
    }
    void expect_name_outlasts_power() {
        const auto image = disk_.image();
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            disk_.set_image(image);
            disk_.lose_power(seed);
            EXPECT_EQ(disk_.content(std::string(kTarget) + "/d/f"), "abc") << seed;
        }
    }

    SimDisk disk_;
    IndexRanges here_;
    std::vector<Have> have_;
};

TEST_F(ReceivePatienceTest, AnUnpublishableFileIsKeptUntilItCanBePublished) {
    const auto folder = open(test::files_of(1, 3));
    ASSERT_EQ(write(folder, {{0, 0, 3}}, "abc")->outcome(), SegmentOutcome::Verified);
    disk_.fail(SimCall::RenameNew, ErrorKind::Refused, 0, 2);
    folder->add_complete({0});
    for (int round = 0; round < 2; ++round) {
        const auto result = folder->commit();
        EXPECT_EQ(result.unpublished, 1U);
        EXPECT_TRUE(result.published.empty());
        EXPECT_TRUE(result.failures.empty());
    }
    const auto result = folder->commit();
    EXPECT_EQ(result.unpublished, 0U);
    EXPECT_EQ(result.published.size(), 1U);
    EXPECT_EQ(disk_.content(std::string(kTarget) + "/f0"), "abc");
}

TEST_F(ReceivePatienceTest, AnUnpublishedFileThatIsDeselectedAndSelectedAgainComesWhole) {
    auto sparse = test::file("f0", 20 << 20);
    sparse.sparse = true;
    const auto folder = open(test::manifest_of({sparse}));
    const std::string half(10 << 20, 'x');
    for (const std::uint64_t offset : {0, 10 << 20}) {
        ASSERT_EQ(write(folder, {{0, offset, half.size()}}, half)->outcome(),
                  SegmentOutcome::Verified);
    }
    disk_.fail(SimCall::RenameNew, ErrorKind::Refused);
    folder->add_complete({0});
    EXPECT_EQ(folder->commit().unpublished, 1U);
    folder->drop({{0, 1}});
    folder->want({{0, 1}});
    ASSERT_EQ(write(folder, {{0, 0, half.size()}}, half)->outcome(), SegmentOutcome::Verified);
    EXPECT_TRUE(folder->commit().published.empty());
    EXPECT_FALSE(disk_.content(std::string(kTarget) + "/f0"));
    ASSERT_EQ(write(folder, {{0, half.size(), half.size()}}, half)->outcome(),
              SegmentOutcome::Verified);
    folder->add_complete({0});
    EXPECT_EQ(folder->commit().published.size(), 1U);
    EXPECT_EQ(disk_.content(std::string(kTarget) + "/f0"), half + half);
}

TEST_F(ReceivePatienceTest, ACompleteFileWhoseLastSyncFailsIsTriedAgain) {
    const auto folder = open(test::files_of(1, 20 << 20));
    const std::string half(10 << 20, 'x');
    for (const std::uint64_t offset : {0, 10 << 20}) {
        ASSERT_EQ(write(folder, {{0, offset, half.size()}}, half)->outcome(),
                  SegmentOutcome::Verified);
    }
    EXPECT_EQ(folder->commit().waiting, 0U);
    disk_.fail(SimCall::SyncData, ErrorKind::Io);
    folder->add_complete({0});
    const auto failed = folder->commit();
    EXPECT_EQ(failed.unpublished, 1U);
    EXPECT_EQ(failed.waiting, 1U);
    EXPECT_TRUE(failed.unsynced.empty());
    EXPECT_EQ(folder->commit().published.size(), 1U);
}

TEST_F(ReceivePatienceTest, NamesThatCouldNotBeSyncedAreSyncedByTheNextCommit) {
    const auto folder = commit_without_names();
    EXPECT_TRUE(folder->commit().published.empty());
    expect_name_outlasts_power();
}

TEST_F(ReceivePatienceTest, NamesThatCouldNotBeSyncedAreSyncedBeforeTheEnd) {
    const auto folder = commit_without_names();
    ASSERT_TRUE(folder->finish());
    expect_name_outlasts_power();
}

TEST_F(ReceivePatienceTest, AFullDiskIsNotCountedAsADiskThatLosesData) {
    const auto folder = open(test::files_of(1, 3));
    for (const ErrorKind kind : {ErrorKind::Full, ErrorKind::Full, ErrorKind::Io}) {
        ASSERT_EQ(write(folder, {{0, 0, 3}}, "abc")->outcome(), SegmentOutcome::Verified);
        disk_.fail(SimCall::SyncData, kind);
        folder->add_complete({0});
        const auto failed = folder->commit();
        EXPECT_EQ(failed.unsynced.size(), 1U);
        EXPECT_EQ(failed.fatal.has_value(), kind == ErrorKind::Full);
        EXPECT_EQ(failed.fatal.value_or(Error{ErrorCode::DiskFull, 0, {}}).code,
                  ErrorCode::DiskFull);
    }
    ASSERT_EQ(write(folder, {{0, 0, 3}}, "abc")->outcome(), SegmentOutcome::Verified);
    folder->add_complete({0});
    EXPECT_EQ(folder->commit().published.size(), 1U);
}

TEST_F(ReceivePatienceTest, AFailedCommitVoidsOnlySegmentsBeingWritten) {
    const auto folder = open(test::files_of(3, 3));
    ASSERT_EQ(write(folder, {{0, 0, 3}}, "abc")->outcome(), SegmentOutcome::Verified);
    const auto begin = [&](std::uint64_t index) {
        Bytes header;
        encode_segment_header({{index, 0, 3}}, header);
        return std::pair{
            std::make_unique<SegmentWriter>(folder, SegmentPlan{{index, 0, 3}}, header),
            test::data_and_hash(header, "abc")};
    };
    const auto [waiting, all] = begin(1);
    const auto [writing, rest] = begin(2);
    ASSERT_TRUE(writing->write(ByteView(rest).first(1)));
    disk_.fail(SimCall::SyncData, ErrorKind::Io);
    folder->add_complete({0});
    const auto result = folder->commit();
    ASSERT_EQ(result.unsynced.size(), 1U);
    EXPECT_TRUE(result.damaged.empty());
    EXPECT_EQ(result.failed_syncs, 1U);
    EXPECT_EQ(writing->failed_syncs(), 0U);
    ASSERT_TRUE(writing->write(ByteView(rest).subspan(1)));
    EXPECT_EQ(writing->outcome(), SegmentOutcome::Voided);
    ASSERT_TRUE(waiting->write(all));
    EXPECT_EQ(waiting->outcome(), SegmentOutcome::Verified);
    EXPECT_EQ(waiting->failed_syncs(), 1U);
}

TEST_F(ReceivePatienceTest, AnUnpublishedFileIsKeptForTheNextAttempt) {
    const auto manifest = test::files_of(2, 10 << 20);
    const std::string data = std::string(10 << 20, 'q');
    {
        const auto folder = open(manifest);
        ASSERT_EQ(write(folder, {{0, 0, data.size()}}, data)->outcome(), SegmentOutcome::Verified);
        for (const std::uint64_t offset : {0, 5 << 20}) {
            ASSERT_EQ(
                write(folder, {{1, offset, 5 << 20}}, data.substr(offset, 5 << 20))->outcome(),
                SegmentOutcome::Verified);
        }
        disk_.fail(SimCall::RenameNew, ErrorKind::Refused, 0, 2);
        folder->add_complete({0, 1});
        const auto result = folder->commit(true);
        EXPECT_EQ(result.unpublished, 0U);
        ASSERT_EQ(result.failures.size(), 2U);
        EXPECT_EQ(result.failures[0].error.code, ErrorCode::TargetNotWritable);
        folder->drop({{0, 2}});
        EXPECT_TRUE(folder->finish());
    }
    disk_.kill();
    const auto again = open(manifest);
    EXPECT_EQ(here_, (IndexRanges{{0, 1}}));
    ASSERT_EQ(have_.size(), 1U);
    EXPECT_EQ(have_[0].offset, data.size());
    again->add_complete({1});
    EXPECT_EQ(again->commit().published.size(), 1U);
    EXPECT_TRUE(again->finish());
    EXPECT_EQ(disk_.snapshot(kTarget).size(), 2U);
}

TEST_F(ReceivePatienceTest, AnUnpublishableFileBesideATextIsNotLeftBehind) {
    const auto manifest = test::files_of(1, 3);
    EXPECT_TRUE(manifest->add({.text = true, .path = "note", .size = 2}));
    const auto folder = open(manifest);
    ASSERT_EQ(write(folder, {{0, 0, 3}, {1, 0, 2}}, "abcde")->outcome(), SegmentOutcome::Verified);
    folder->add_complete({0});
    disk_.fail(SimCall::RenameNew, ErrorKind::Refused, 0, 100);
    folder->suspend();
    disk_.kill();
    const auto again = open(test::files_of(1, 3));
    ASSERT_EQ(write(again, {{0, 0, 3}}, "abc")->outcome(), SegmentOutcome::Verified);
    again->add_complete({0});
    EXPECT_EQ(again->commit().published.size(), 1U);
    EXPECT_TRUE(again->finish());
    EXPECT_EQ(disk_.snapshot(kTarget), (std::map<std::string, std::string>{{"f0", "abc"}}));
}

TEST_F(ReceivePatienceTest, EntriesAddedBehindAnUnpublishedFileAreReceived) {
    const auto manifest = test::files_of(1, 3);
    const auto folder = open(manifest);
    ASSERT_EQ(write(folder, {{0, 0, 3}}, "abc")->outcome(), SegmentOutcome::Verified);
    disk_.fail(SimCall::RenameNew, ErrorKind::Refused, 0, 1);
    folder->add_complete({0});
    ASSERT_EQ(folder->commit(true).failures.size(), 1U);
    folder->drop({{0, 1}});
    EXPECT_TRUE(folder->finish());
    test::add_all(*manifest, {test::file("added", 3)});
    const auto prepared = test::prepare(*folder, 1, 2, {});
    ASSERT_TRUE(prepared) << prepared.error().detail;
    ASSERT_EQ(write(folder, {{1, 0, 3}}, "def")->outcome(), SegmentOutcome::Verified);
    folder->add_complete({1});
    EXPECT_EQ(folder->commit().published.size(), 1U);
    EXPECT_TRUE(folder->finish());
    EXPECT_EQ(disk_.content(std::string(kTarget) + "/added"), "def");
    folder->suspend();
    const auto again = open(manifest);
    EXPECT_EQ(here_, (IndexRanges{{0, 2}}));
}

TEST_F(ReceivePatienceTest, AUsedUpQuotaIsDistinguishedFromAFullDisk) {
    disk_.set_full_is_quota();
    const auto folder = open(test::files_of(1, 0));
    disk_.fail(SimCall::CreateFile, ErrorKind::Full, 0, 2);
    const auto writer = write(folder, {{0, 0, 0}}, "");
    EXPECT_EQ(writer->outcome(), SegmentOutcome::NoRoom);
    EXPECT_EQ(writer->shortage().kind, Shortage::Kind::Quota);
    EXPECT_EQ(writer->shortage().bytes, 1U);
    EXPECT_EQ(folder->has_room(1), false) << "however much is free";
    EXPECT_EQ(folder->has_room(1), true);
}

TEST_F(ReceivePatienceTest, SpaceIsReservedInSteps) {
    constexpr std::uint64_t kSize = std::uint64_t{4} << 30;
    const auto folder = open(test::files_of(1, kSize));
    const auto before = fs::volume_facts(fs::open_folder(kTarget).value())->free_bytes;
    ASSERT_EQ(write(folder, {{0, 0, 1000}}, std::string(1000, 'x'))->outcome(),
              SegmentOutcome::Verified);
    const auto after = fs::volume_facts(fs::open_folder(kTarget).value())->free_bytes;
    EXPECT_GT(before - after, std::uint64_t{8} << 20);
    EXPECT_LT(before - after, std::uint64_t{256} << 20);
}

} // namespace
} // namespace thru::test
