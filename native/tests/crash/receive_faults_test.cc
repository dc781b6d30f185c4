// Receiving on a disk that fails at any one call, or is full.
#include <gtest/gtest.h>

#include "crash/receive_scenario.h"

namespace thru::test {
namespace {

using fs::ErrorKind;

class ReceiveFaultsTest : public testing::Test {
protected:
    /// One call fails `times` times. The transfer continues if it can, and is repeated otherwise.
    void sweep(SimCall call, ErrorKind kind, std::uint64_t times = 1) {
        for (std::uint64_t spared = 0;; ++spared) {
            SimDisk disk;
            disk.put_folder("/home");
            disk.fail(call, kind, spared, times);
            const std::string when = "after " + std::to_string(spared);
            std::size_t paused = 0;
            test::SendOptions options;
            options.make_room = [&paused](std::uint64_t need) {
                EXPECT_GT(need, 0u);
                return ++paused < 10;
            };
            {
                Attempt attempt(offered_, kTarget, options);
                const bool finished = attempt.run();
                expect_nothing_wrong(disk, expected_);
                if (finished && attempt.failures.empty() && attempt.damaged == 0 && paused == 0) {
                    ASSERT_EQ(difference(disk.snapshot(kTarget), expected_), "") << when;
                    if (disk.unused_faults() > 0) {
                        return;
                    }
                }
                if (!finished && attempt.folder) {
                    attempt.folder->suspend();
                }
                expect_nothing_wrong(disk, expected_);
            }
            disk.kill();
            Attempt again(offered_, kTarget, {});
            ASSERT_TRUE(again.run()) << when << again.error->detail;
            EXPECT_TRUE(again.failures.empty()) << when;
            ASSERT_EQ(difference(disk.snapshot(kTarget), expected_), "") << when;
        }
    }

    Offered offered_ = test::everything();
    Snapshot expected_ = test::expected_of(offered_);
};

TEST_F(ReceiveFaultsTest, ContinuesWhenThereIsRoomAgain) {
    sweep(SimCall::Write, ErrorKind::Full);
    sweep(SimCall::CreateFile, ErrorKind::Full);
    sweep(SimCall::Reserve, ErrorKind::Full);
    sweep(SimCall::MakeFolder, ErrorKind::Full);
    sweep(SimCall::RenameNew, ErrorKind::Full);
    sweep(SimCall::SyncData, ErrorKind::Full);
}

TEST_F(ReceiveFaultsTest, RequestsDataAgainThatTheDiskLost) {
    sweep(SimCall::SyncData, ErrorKind::Io);
    sweep(SimCall::SyncFileSystem, ErrorKind::Io);
    sweep(SimCall::SyncFolder, ErrorKind::Io);
    sweep(SimCall::SyncData, ErrorKind::Io, 2);
}

TEST_F(ReceiveFaultsTest, LeavesOutWhatCannotBeWrittenUntilItCan) {
    sweep(SimCall::Write, ErrorKind::Io);
    sweep(SimCall::CreateFile, ErrorKind::Io);
    sweep(SimCall::CreateFile, ErrorKind::Refused);
    sweep(SimCall::RenameNew, ErrorKind::Io);
    sweep(SimCall::MakeFolder, ErrorKind::Refused);
    sweep(SimCall::MakeLink, ErrorKind::Io);
    sweep(SimCall::MakeHardLink, ErrorKind::Refused);
    sweep(SimCall::MakeHardLink, ErrorKind::Io, 3);
    sweep(SimCall::Open, ErrorKind::Io);
    sweep(SimCall::LookUp, ErrorKind::Io);
    sweep(SimCall::Lock, ErrorKind::Io);
    sweep(SimCall::Close, ErrorKind::Io);
    sweep(SimCall::RemoveFile, ErrorKind::Io);
}

TEST_F(ReceiveFaultsTest, EndsWhenTheDiskIsGone) {
    sweep(SimCall::Write, ErrorKind::Gone);
    sweep(SimCall::SyncData, ErrorKind::Gone);
    sweep(SimCall::CreateFile, ErrorKind::Gone);
}

TEST_F(ReceiveFaultsTest, EndsWhenTheDiskLosesDataTwice) {
    for (const SimCall call : {SimCall::SyncData, SimCall::SyncFileSystem, SimCall::SyncFolder}) {
        SimDisk disk;
        disk.put_folder("/home");
        // The first two calls make the target and the journal.
        disk.fail(call, ErrorKind::Io, call == SimCall::SyncFileSystem ? 0 : 2, 1000);
        Attempt attempt(offered_, kTarget, {});
        EXPECT_FALSE(attempt.run());
        ASSERT_TRUE(attempt.error);
        EXPECT_EQ(attempt.error->code, ErrorCode::DiskIo);
        expect_nothing_wrong(disk, expected_);
    }
}

} // namespace
} // namespace thru::test
