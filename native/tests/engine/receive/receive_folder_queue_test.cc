// A receive's folder during preparation: in virtual time, on a disk that the test controls.
#include <algorithm>

#include <gtest/gtest.h>

#include "engine/folder_link.h"
#include "fs/disk.h"

namespace thru::test {
namespace {

/// A share that grows, over a fast link, into a folder.
class ReceiveFolderQueue : public testing::Test, protected test::FolderLink {
protected:
    void begin(std::shared_ptr<ManifestTable> manifest, const ReceiveOptions &options = {}) {
        FolderLink::begin(std::move(manifest), target_.path(), options);
    }
    /// Waits until the receiver has received one more checkpoint.
    void grow(std::initializer_list<ManifestEntry> entries) {
        test::add_all(*manifest_, entries);
        sending_->share_more();
        const auto offers = receiving_->offers();
        ASSERT_TRUE(run_until([&] { return receiving_->offers() > offers; }));
        ASSERT_FALSE(receiving_->failure()) << receiving_->failure()->detail;
    }
    void expect_finished(std::ptrdiff_t files) {
        ASSERT_TRUE(run_until([&] { return receiving_->finished() && sending_->finished(); }));
        ASSERT_FALSE(receiving_->failure()) << receiving_->failure()->detail;
        EXPECT_EQ(receiving_->finished()->files, static_cast<std::uint64_t>(files));
        EXPECT_EQ(
            std::ranges::count_if(snapshot(target_.path()),
                                  [](const auto &entry) { return entry.second != "(folder)"; }),
            files);
    }

    void auto_accept(std::uint64_t max_bytes) {
        receiving_->accept_by([this, max_bytes](ReceiveTransfer &transfer) {
            transfer.accept(target_.path().string(), {}, {},
                            AutoAcceptLimit{.max_bytes = max_bytes});
        });
    }
    /// Expects the error only after the held disk is released.
    void expect_end_with_disk(ErrorCode code) {
        run_until([] { return false; }, 1);
        EXPECT_FALSE(receiving_->failure());
        receiving_->release_disk();
        ASSERT_TRUE(run_until([this] { return receiving_->failure().has_value(); }));
        EXPECT_EQ(receiving_->failure()->code, code);
    }

    TemporaryFolder target_;
};

TEST_F(ReceiveFolderQueue, CheckpointsDuringPreparationAreRequestedOnce) {
    begin(test::files_of(10, 1000));
    sending_->sender().pause();
    ASSERT_TRUE(run_until([this] { return receiving_->accepted().has_value(); }));
    receiving_->hold_disk();
    grow({test::file("second/a", 10)});
    grow({test::file("third/a", 10), test::file("third/b", 20)});
    receiving_->release_disk();
    sending_->sender().resume();
    expect_finished(13);
}

TEST_F(ReceiveFolderQueue, NothingIsFinishedDuringPreparation) {
    begin(test::files_of(1, 1000));
    sending_->sender().pause();
    ASSERT_TRUE(run_until([this] { return receiving_->accepted().has_value(); }));
    receiving_->hold_disk();
    grow({test::file("second/a", 10)});
    sending_->sender().resume();
    // The first file's data waits for the disk behind the second file's preparation.
    run_until([this] { return receiving_->transfer().writing(); });
    receiving_->release_disk();
    expect_finished(2);
    EXPECT_EQ(receiving_->finished()->entries, 2U);
}

TEST_F(ReceiveFolderQueue, AddedEntriesAreReportedAsPreparing) {
    begin(test::files_of(1, 1000));
    sending_->sender().pause();
    ASSERT_TRUE(run_until([this] { return receiving_->accepted().has_value(); }));
    EXPECT_FALSE(receiving_->transfer().preparing());
    receiving_->hold_disk();
    grow({test::file("second/a", 10)});
    EXPECT_TRUE(run_until([this] { return receiving_->transfer().preparing(); }));
    receiving_->release_disk();
    sending_->sender().resume();
    expect_finished(2);
    EXPECT_FALSE(receiving_->transfer().preparing());
}

TEST_F(ReceiveFolderQueue, WhatIsAddedAndHasNoRoomLetsTheRestCome) {
    begin(test::files_of(1, 20 << 20));
    ASSERT_TRUE(run_until([this] { return receiving_->transfer().totals().bytes >= 4 << 20; }));
    const auto available = std::filesystem::space(target_.path()).available;
    grow({test::file("second/a", available + (std::uint64_t{1} << 30))});
    ASSERT_TRUE(run_until([this] { return receiving_->transfer().totals().files == 1; }));
    ASSERT_TRUE(run_until(
        [this] { return receiving_->transfer().flow().kind == FlowState::Kind::DiskFull; }));
    EXPECT_FALSE(receiving_->failure()) << receiving_->failure()->detail;
}

TEST_F(ReceiveFolderQueue, AnInterruptionDuringPreparationIsResumed) {
    begin(test::files_of(1, 20 << 20));
    ASSERT_TRUE(run_until([this] { return receiving_->transfer().totals().bytes >= 8 << 20; }));
    receiving_->hold_disk();
    grow({test::file("second/a", 10)});
    receiving_->drop_transfer();
    EXPECT_EQ(receiving_->context().suspending.size(), 1U);
    receiving_->release_disk();
    receiving_->finish_disk();
    EXPECT_TRUE(receiving_->context().suspending.empty());
    connect();
    expect_finished(2);
    EXPECT_GE(receiving_->accepted()->resumed_bytes, std::uint64_t{8} << 20);
}

TEST_F(ReceiveFolderQueue, WhatBreaksBeforeTheFolderIsOpenHoldsItNoLonger) {
    begin(test::files_of(1, 20 << 20));
    ASSERT_TRUE(run_until([this] { return receiving_->transfer().totals().bytes >= 8 << 20; }));
    receiving_->drop_transfer();
    receiving_->finish_disk();
    connect();
    receiving_->hold_disk();
    ASSERT_TRUE(run_until([this] { return receiving_->offers() > 1; }));
    receiving_->drop_transfer();
    EXPECT_EQ(receiving_->context().suspending.size(), 1U);
    connect();
    ASSERT_TRUE(run_until([this] { return receiving_->offers() > 2; }));
    receiving_->release_disk();
    expect_finished(1);
    EXPECT_GE(receiving_->accepted()->resumed_bytes, std::uint64_t{8} << 20);
}

TEST_F(ReceiveFolderQueue, AChoiceDuringPreparationHolds) {
    begin(test::files_of(1, 1000));
    sending_->sender().pause();
    ASSERT_TRUE(run_until([this] { return receiving_->accepted().has_value(); }));
    receiving_->hold_disk();
    grow({test::file("second/a", 10), test::file("second/b", 10)});
    const auto unwanted = parse_patterns({"second/a"});
    ASSERT_TRUE(unwanted);
    receiving_->transfer().select(*unwanted, false);
    receiving_->release_disk();
    sending_->sender().resume();
    expect_finished(2);
    EXPECT_TRUE(snapshot(target_.path()).contains("second/b"));
}

TEST_F(ReceiveFolderQueue, EntriesRemovedDuringPreparationAreNotReceived) {
    begin(test::files_of(1, 1000));
    sending_->sender().pause();
    ASSERT_TRUE(run_until([this] { return receiving_->accepted().has_value(); }));
    receiving_->hold_disk();
    grow({test::file("second/a", 10), test::file("second/b", 10)});
    sending_->sender().on_removed({{.first = 1, .count = 1}});
    const auto offers = receiving_->offers();
    ASSERT_TRUE(run_until([&] { return receiving_->offers() > offers; }));
    receiving_->release_disk();
    sending_->sender().resume();
    expect_finished(2);
    EXPECT_TRUE(snapshot(target_.path()).contains("second/b"));
}

/// The network thread serves all connections, and there may be a million entries to sum up.
TEST_F(ReceiveFolderQueue, TheDiskPoolSumsUpWhatMayBeReceivedUnasked) {
    begin(test::files_of(3, 1000));
    auto_accept(2999);
    receiving_->hold_disk();
    ASSERT_TRUE(run_until([this] { return receiving_->offers() > 0; }));
    expect_end_with_disk(ErrorCode::Undecided);
}

TEST_F(ReceiveFolderQueue, TheDiskPoolSumsUpByWhatAnUnaskedOfferGrows) {
    begin(test::files_of(1, 1000));
    auto_accept(1500);
    sending_->sender().pause();
    ASSERT_TRUE(run_until([this] { return receiving_->accepted().has_value(); }));
    receiving_->hold_disk();
    grow({test::file("b", 500)});
    grow({test::file("c", 1)});
    expect_end_with_disk(ErrorCode::Undecided);
    EXPECT_FALSE(std::filesystem::exists(target_ / "c"));
}

TEST_F(ReceiveFolderQueue, TheDiskPoolLooksForTheFileOfAnOutput) {
    begin(test::files_of(3, 1000));
    receiving_->accept_by([](ReceiveTransfer &transfer) { transfer.accept_output(-1, {}); });
    receiving_->hold_disk();
    ASSERT_TRUE(run_until([this] { return receiving_->offers() > 0; }));
    expect_end_with_disk(ErrorCode::BadArgument);
}

TEST_F(ReceiveFolderQueue, AnOutputEndsWhenItsFileIsRemovedBeforeItIsFound) {
    begin(test::files_of(1, 1000));
    receiving_->accept_by([](ReceiveTransfer &transfer) { transfer.accept_output(-1, {}); });
    receiving_->hold_disk();
    ASSERT_TRUE(run_until([this] { return receiving_->offers() > 0; }));
    sending_->sender().on_removed({{.first = 0, .count = 1}});
    ASSERT_TRUE(run_until([this] { return receiving_->offers() > 1; }));
    expect_end_with_disk(ErrorCode::Stopped);
}

} // namespace
} // namespace thru::test
