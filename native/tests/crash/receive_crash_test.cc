// Receiving on a disk that dies at every operation.
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "crash/receive_scenario.h"

namespace thru::test {
namespace {

class ReceiveCrashTest : public testing::Test {
protected:
    std::uint64_t operations() {
        SimDisk disk;
        configure(disk);
        Attempt attempt(offered_, kTarget, options_);
        EXPECT_TRUE(attempt.run()) << attempt.error->detail;
        EXPECT_TRUE(disk.snapshot(kTarget) == expected_);
        return disk.operations();
    }

    void configure(SimDisk &disk) const {
        disk.set_syncs_file_system(syncs_file_system_);
        disk.set_counts_insertions(!loses_power_alone_);
        disk.put_folder("/home");
    }

    /// Resumes to the end, and compares the data sent again with the data that `before` had.
    void resume(SimDisk &disk, const Attempt &before, bool lost_power, const std::string &when) {
        expect_nothing_wrong(disk, expected_);
        test::SendOptions next = options_;
        next.share = next_share_;
        Attempt after(offered_, kTarget, next);
        ASSERT_TRUE(after.run()) << when << ": " << after.error->detail;
        ASSERT_EQ(difference(disk.snapshot(kTarget), expected_), "") << when;
        EXPECT_TRUE(after.failures.empty()) << when;
        EXPECT_EQ(after.renamed, 0u) << when;
        EXPECT_EQ(after.damaged, 0u) << when;
        EXPECT_TRUE(after.restarted.empty()) << when;
        for (const std::uint64_t index : before.published) {
            EXPECT_FALSE(after.sent_files.contains(index)) << when << ": " << offered_.path(index);
        }
        for (const auto &[index, bytes] : lost_power ? before.synced : before.verified) {
            const bool whole = !after.sent_files.contains(index);
            const auto at = after.resumed_at.find(index);
            const std::uint64_t from = at == after.resumed_at.end() ? 0 : at->second;
            EXPECT_TRUE(whole || from >= bytes)
                << when << ": " << offered_.path(index) << " from " << from << " not " << bytes;
        }
    }

    void sweep(std::uint64_t step, std::uint64_t seeds) {
        const std::uint64_t last = operations();
        RecordProperty("states", std::to_string((last / step + 1) * (seeds + 1)));
        for (std::uint64_t died = 0; died <= last; died += step) {
            SimDisk disk;
            configure(disk);
            disk.crash_after(died);
            test::SendOptions until_death = options_;
            until_death.alive = [&disk] { return !disk.crashed(); };
            Attempt before(offered_, kTarget, until_death);
            const bool finished = before.run();
            const auto trace = disk.trace();
            const std::string at =
                "died at " + std::to_string(died) + " after " + (trace.empty() ? "" : trace.back());
            const test::SimImage image = disk.image();
            for (std::uint64_t seed = 0; seed <= seeds; ++seed) {
                disk.set_image(image);
                if (seed > 0) {
                    disk.lose_power(seed);
                }
                if (loses_power_alone_) {
                    disk.set_boot_id("boot-0");
                }
                const std::string when = at + ", seed " + std::to_string(seed);
                if (finished) {
                    ASSERT_EQ(difference(disk.snapshot(kTarget), expected_), "") << when;
                    continue;
                }
                resume(disk, before, seed > 0, when);
                if (HasFailure()) {
                    return;
                }
            }
        }
    }

    Offered offered_ = test::everything();
    Snapshot expected_ = test::expected_of(offered_);
    test::SendOptions options_;
    /// Share id of the attempt that resumes.
    WireId next_share_ = test::kShare;
    bool syncs_file_system_ = true;
    /// The disk is remote: only the disk loses power, not the receiving computer.
    bool loses_power_alone_ = false;
};

TEST_F(ReceiveCrashTest, LosesNothingAtAnyOperation) { sweep(1, 3); }

TEST_F(ReceiveCrashTest, LosesNothingWhenTheSenderWasRestarted) {
    next_share_ = {7};
    sweep(1, 2);
}

TEST_F(ReceiveCrashTest, LosesNothingWhenOnlyANetworkDriveLosesPower) {
    loses_power_alone_ = true;
    // Extents of one block, several between commits: the drive loses some, but not the last one.
    options_.piece = 4'096;
    options_.segments_a_round = 12;
    sweep(3, 10);
}

TEST_F(ReceiveCrashTest, LosesNothingWhenItDiesAgainWhileResuming) {
    const std::uint64_t last = operations();
    std::mt19937 random(1);
    for (int run = 0; run < 1000; ++run) {
        SimDisk disk;
        configure(disk);
        disk.set_folder_syncs_attributes(run % 3 != 0);
        std::string when = "run " + std::to_string(run);
        std::set<std::uint64_t> named;
        for (int death = 0; death < 4; ++death) {
            const std::uint64_t died = random() % (death == 0 ? last : last / 2);
            disk.crash_after(died);
            test::SendOptions until_death = options_;
            until_death.alive = [&disk] { return !disk.crashed(); };
            Attempt attempt(offered_, kTarget, until_death);
            if (attempt.run() && !disk.crashed()) {
                break;
            }
            when += ", died at " + std::to_string(died);
            for (const std::uint64_t index : named) {
                EXPECT_FALSE(attempt.sent_files.contains(index)) << when << offered_.path(index);
            }
            named.insert(attempt.published.begin(), attempt.published.end());
            if (random() % 2 == 0) {
                disk.kill();
            } else {
                disk.lose_power(random());
            }
            expect_nothing_wrong(disk, expected_);
        }
        if (disk.crashed() || disk.snapshot(kTarget) != expected_) {
            Attempt after(offered_, kTarget, options_);
            ASSERT_TRUE(after.run()) << when << after.error->detail;
        }
        ASSERT_EQ(difference(disk.snapshot(kTarget), expected_), "") << when;
        if (HasFailure()) {
            return;
        }
    }
}

TEST_F(ReceiveCrashTest, LosesNothingWhereEveryFileIsSyncedAlone) {
    syncs_file_system_ = false;
    sweep(2, 2);
}

} // namespace
} // namespace thru::test
