// Updating files on a disk that dies at every operation.
#include <gtest/gtest.h>

#include "crash/receive_scenario.h"

namespace thru::test {
namespace {

constexpr std::size_t kBlock = 64 * 1024;
constexpr std::size_t kSize = 17 * kBlock + 100;

class UpdateCrashTest : public testing::Test {
protected:
    UpdateCrashTest() {
        options_.receive.conflict = ConflictPolicy::Update;
        options_.validator = {5};
        options_.piece = kBlock;
        const std::string content = bytes_of(kSize, 1);
        offered_.file("image", content);
        offered_.file("log", bytes_of(kSize, 2));
        offered_.file("new", bytes_of(3'000, 3));
        std::string older = content;
        // The first block and the last whole one are the same: they alone prove nothing.
        for (const std::size_t block : {1, 2, 8}) {
            older[block * kBlock + 7] = static_cast<char>(older[block * kBlock + 7] ^ 1);
        }
        older_ = {{"image", older}, {"log", offered_.contents[1].substr(0, 16 * kBlock + 5)}};
        expected_ = offered_.expected();
    }

    /// The sender lists the chunks of its files, and the data of the image has moved.
    void move_data() {
        options_.lists_chunks = true;
        std::string &older = older_.at("image");
        older.insert(3 * kBlock, "removed");
        older.erase(9 * kBlock, 5);
    }

    void configure(SimDisk &disk) const {
        disk.set_counts_insertions(counts_insertions_);
        disk.set_shares_blocks(shares_blocks_);
        disk.put_folder("/home");
        disk.put_folder(kTarget);
        constexpr std::int64_t kTime = 60'000'000'000;
        for (const auto &[name, content] : older_) {
            disk.put_file(std::string(kTarget) + "/" + name, content, kTime);
        }
    }

    /// Every file is the older version or the new one, and neither is ever missing.
    void expect_nothing_wrong(const SimDisk &disk, const std::string &when) const {
        const Snapshot found = test::finals(disk);
        for (const auto &[name, content] : found) {
            const auto older = older_.find(name);
            ASSERT_TRUE(content == expected_.at(name) ||
                        (older != older_.end() && content == older->second))
                << when << ": " << name << " of " << content.size();
        }
        for (const auto &[name, content] : older_) {
            ASSERT_TRUE(found.contains(name)) << when << ": " << name;
        }
    }

    void finish(SimDisk &disk, const std::string &when) const {
        Attempt after(offered_, kTarget, options_);
        ASSERT_TRUE(after.run()) << when << ": " << after.error->detail;
        ASSERT_EQ(difference(disk.snapshot(kTarget), expected_), "") << when;
        EXPECT_TRUE(after.failures.empty()) << when;
        EXPECT_EQ(after.renamed, 0U) << when;
    }

    std::uint64_t operations() const {
        SimDisk disk;
        configure(disk);
        Attempt attempt(offered_, kTarget, options_);
        EXPECT_TRUE(attempt.run());
        return disk.operations();
    }

    void sweep(std::uint64_t step, std::uint64_t seeds) {
        const std::uint64_t last = operations();
        for (std::uint64_t died = 0; died <= last; died += step) {
            SimDisk disk;
            configure(disk);
            disk.crash_after(died);
            test::SendOptions until_death = options_;
            until_death.alive = [&disk] { return !disk.crashed(); };
            Attempt before(offered_, kTarget, until_death);
            before.run();
            const test::SimImage image = disk.image();
            for (std::uint64_t seed = 0; seed <= seeds; ++seed) {
                disk.set_image(image);
                if (seed > 0) {
                    disk.lose_power(seed);
                }
                const std::string when =
                    "died at " + std::to_string(died) + ", seed " + std::to_string(seed);
                expect_nothing_wrong(disk, when);
                finish(disk, when);
                if (HasFailure()) {
                    return;
                }
            }
        }
    }

    Offered offered_;
    Snapshot older_;
    Snapshot expected_;
    test::SendOptions options_;
    bool counts_insertions_ = true;
    bool shares_blocks_ = false;
};

TEST_F(UpdateCrashTest, SendsOnlyWhatChanged) {
    SimDisk disk;
    configure(disk);
    Attempt attempt(offered_, kTarget, options_);
    ASSERT_TRUE(attempt.run());
    EXPECT_EQ(difference(disk.snapshot(kTarget), expected_), "");
    EXPECT_EQ(attempt.bytes_sent, 3 * kBlock + 100 + kBlock + 100 + 3'000);
}

TEST_F(UpdateCrashTest, ShowsTheOlderVersionOrTheNewOneAtAnyOperation) { sweep(1, 2); }

TEST_F(UpdateCrashTest, DoesSoWhereAVolumeMayLoseData) {
    counts_insertions_ = false;
    sweep(2, 2);
}

TEST_F(UpdateCrashTest, DoesSoWhereAVolumeSharesBlocks) {
    shares_blocks_ = true;
    sweep(2, 2);
}

TEST_F(UpdateCrashTest, FindsDataThatHasMoved) {
    move_data();
    for (const bool shares : {false, true}) {
        shares_blocks_ = shares;
        SimDisk disk;
        configure(disk);
        Attempt attempt(offered_, kTarget, options_);
        ASSERT_TRUE(attempt.run());
        EXPECT_EQ(difference(disk.snapshot(kTarget), expected_), "");
        EXPECT_EQ(attempt.prepared.of_basis.size(), 2U);
        EXPECT_LT(attempt.bytes_sent, 6 * kBlock);
    }
}

TEST_F(UpdateCrashTest, ShowsTheOlderVersionOrTheNewOneWhereMovedDataSharesBlocks) {
    move_data();
    shares_blocks_ = true;
    sweep(2, 2);
}

TEST_F(UpdateCrashTest, ShowsTheOlderVersionOrTheNewOneWhenDataHasMoved) {
    move_data();
    sweep(1, 2);
}

TEST_F(UpdateCrashTest, DoesSoWhereAVolumeMayLoseDataThatHasMoved) {
    move_data();
    counts_insertions_ = false;
    sweep(2, 2);
}

TEST_F(UpdateCrashTest, DoesNotTrustACopyThatWasNotCompared) {
    SimDisk disk;
    configure(disk);
    {
        auto opened = ReceiveFolder::open(
            kTarget, offered_.manifest, options_.receive,
            {.share = options_.share, .receive = test::kReceive, .origin = options_.origin});
        ASSERT_TRUE(opened);
        const auto prepared = test::prepare(**opened, 0, offered_.contents.size(), {});
        ASSERT_TRUE(prepared);
        EXPECT_EQ(prepared->have.size(), 2U);
        (*opened)->suspend();
    }
    Attempt after(offered_, kTarget, options_);
    ASSERT_TRUE(after.run());
    EXPECT_EQ(after.prepared.have.at(0).validator, kBasisValidator);
    EXPECT_EQ(difference(disk.snapshot(kTarget), expected_), "");
    EXPECT_EQ(after.bytes_sent, 3 * kBlock + 100 + kBlock + 100 + 3'000);
}

TEST_F(UpdateCrashTest, SendsAllOfAFileThatCantBeCopied) {
    SimDisk disk;
    configure(disk);
    disk.fail(test::SimCall::Read, fs::ErrorKind::Io);
    Attempt attempt(offered_, kTarget, options_);
    ASSERT_TRUE(attempt.run());
    EXPECT_EQ(disk.unused_faults(), 0U);
    EXPECT_EQ(difference(disk.snapshot(kTarget), expected_), "");
    EXPECT_EQ(attempt.bytes_sent, kSize + kBlock + 100 + 3'000);
}

} // namespace
} // namespace thru::test
