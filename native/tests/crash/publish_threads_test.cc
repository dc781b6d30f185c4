// Two threads publish files on a disk that dies meanwhile.
#include <algorithm>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "crash/receive_scenario.h"

namespace thru::test {
namespace {

/// Enough for two threads; the boundary between their files is inside a folder.
constexpr int kFilesNamed = 1'100;
/// A rename for each file, plus syncs, folders' names, the journal, and its removal.
constexpr std::uint64_t kOperationsAtTheEnd = kFilesNamed + 60;
constexpr int kDeaths = 40;
constexpr std::uint64_t kPowerLosses = 2;

Offered many_files() {
    Offered offered;
    for (int file = 0; file < kFilesNamed; ++file) {
        const std::string folder = "share/" + std::to_string(file / 400);
        offered.file(folder + "/" + std::to_string(file), test::bytes_of(20, 1 + file));
    }
    return offered;
}

class PublishCrashTest : public testing::Test {
protected:
    PublishCrashTest() {
        // Puts all files into one batch.
        options_.batch_files = kFilesNamed;
        options_.segments_a_round = kFilesNamed;
    }

    /// Puts existing files under names that the transfer wants.
    void prepare(SimDisk &disk) const {
        disk.put_folder("/home");
        for (const auto &[path, content] : existing_) {
            disk.put_file(std::string(kTarget) + "/" + path, content);
        }
    }

    std::uint64_t operations() const {
        SimDisk disk;
        prepare(disk);
        Attempt attempt(offered_, kTarget, options_);
        EXPECT_TRUE(attempt.run());
        EXPECT_EQ(attempt.published.size(), static_cast<std::size_t>(kFilesNamed));
        EXPECT_EQ(difference(disk.snapshot(kTarget), expected_), "");
        return disk.operations();
    }

    /// Expects only old files, or complete new ones, under wanted names.
    void expect_old_or_new(const SimDisk &disk, const std::string &when) const {
        const Snapshot found = test::finals(disk);
        for (const auto &[path, content] : found) {
            const auto old = existing_.find(path);
            const bool is_old = old != existing_.end() && old->second == content;
            ASSERT_TRUE(is_old || (expected_.contains(path) && expected_.at(path) == content))
                << when << ": " << path << " has " << content.size() << " bytes";
        }
        for (const auto &[path, content] : existing_) {
            ASSERT_TRUE(found.contains(path)) << when << ": lost " << path;
        }
    }

    void resume(SimDisk &disk, const Attempt &before, const std::string &when) {
        expect_old_or_new(disk, when);
        Attempt after(offered_, kTarget, options_);
        ASSERT_TRUE(after.run()) << when << ": " << after.error->detail;
        ASSERT_EQ(difference(disk.snapshot(kTarget), expected_), "") << when;
        EXPECT_TRUE(after.failures.empty()) << when;
        EXPECT_EQ(after.damaged, 0u) << when;
        for (const std::uint64_t index : before.published) {
            EXPECT_FALSE(after.sent_files.contains(index)) << when << ": " << offered_.path(index);
        }
    }

    /// Dies at random operations of the commit and after it.
    void die_while_names_are_given() {
        const std::uint64_t last = operations();
        ASSERT_GT(last, kOperationsAtTheEnd);
        std::mt19937_64 random(20'261);
        std::uniform_int_distribution<std::uint64_t> moment(last - kOperationsAtTheEnd, last);
        for (int death = 0; death < kDeaths && !HasFailure(); ++death) {
            SimDisk disk;
            prepare(disk);
            const std::uint64_t died = moment(random);
            disk.crash_after(died);
            test::SendOptions until_death = options_;
            until_death.alive = [&disk] { return !disk.crashed(); };
            Attempt before(offered_, kTarget, until_death);
            static_cast<void>(before.run());
            const test::SimImage image = disk.image();
            for (std::uint64_t seed = 0; seed <= kPowerLosses && !HasFailure(); ++seed) {
                disk.set_image(image);
                if (seed > 0) {
                    disk.lose_power(random());
                }
                resume(disk, before,
                       "died at " + std::to_string(died) + ", seed " + std::to_string(seed));
            }
        }
    }

    Offered offered_ = many_files();
    Snapshot expected_ = test::expected_of(offered_);
    Snapshot existing_;
    test::SendOptions options_;
};

TEST_F(PublishCrashTest, LosesNothingWhileTwoThreadsGiveNames) { die_while_names_are_given(); }

TEST_F(PublishCrashTest, LosesNoFileThatIsReplacedByTwoThreads) {
    options_.receive.conflict = ConflictPolicy::Replace;
    for (int file = 0; file < kFilesNamed; file += 3) {
        existing_[offered_.path(file)] = "old " + std::to_string(file);
    }
    die_while_names_are_given();
}

} // namespace
} // namespace thru::test
