// Names of one file on a disk that dies at every operation.
#include <gtest/gtest.h>

#include "crash/receive_scenario.h"

namespace thru::test {
namespace {

class HardLinksCrashTest : public testing::Test {
protected:
    HardLinksCrashTest() {
        const auto large = offered_.file("share/large", bytes_of(90'000, 1));
        const auto small = offered_.file("share/small", bytes_of(700, 2));
        offered_.hard_link("share/large again", large);
        offered_.hard_link("share/below/small again", small);
        offered_.hard_link("share/small once more", small);
        offered_.file("share/other", bytes_of(60'000, 3));
    }

    void expect_one_file_each(const SimDisk &disk, const std::string &when) const {
        for (const HardLink &link : offered_.hard_links) {
            ASSERT_TRUE(disk.is_one_file(path(link.index), path(link.first))) << when;
        }
    }
    std::string path(std::uint64_t index) const {
        return std::string(kTarget) + "/" + offered_.path(index);
    }

    Offered offered_;
    test::SendOptions options_{.segments_a_round = 1};
};

TEST_F(HardLinksCrashTest, AreMadeAfterAnyDeathWithoutSendingMore) {
    std::uint64_t operations = 0;
    std::uint64_t bytes = 0;
    {
        SimDisk disk;
        disk.put_folder("/home");
        Attempt whole(offered_, kTarget, options_);
        ASSERT_TRUE(whole.run());
        operations = disk.operations();
        bytes = whole.bytes_sent;
        EXPECT_EQ(bytes, 90'000u + 700 + 60'000);
        expect_one_file_each(disk, "without a death");
    }
    for (std::uint64_t died = 0; died <= operations; ++died) {
        SimDisk disk;
        disk.put_folder("/home");
        disk.crash_after(died);
        options_.alive = [&disk] { return !disk.crashed(); };
        Attempt(offered_, kTarget, options_).run();
        const test::SimImage image = disk.image();
        for (std::uint64_t seed = 0; seed <= 3; ++seed) {
            disk.set_image(image);
            if (seed > 0) {
                disk.lose_power(seed);
            }
            const std::string when =
                "died at " + std::to_string(died) + ", seed " + std::to_string(seed);
            test::expect_nothing_wrong(disk, test::expected_of(offered_));
            Attempt after(offered_, kTarget, {});
            ASSERT_TRUE(after.run()) << when;
            EXPECT_EQ(after.renamed, 0u) << when;
            ASSERT_LE(after.bytes_sent, bytes) << when;
            ASSERT_EQ(difference(disk.snapshot(kTarget), test::expected_of(offered_)), "") << when;
            if (seed == 0) {
                // The last two operations delete the journal, without which sizes and times decide.
                EXPECT_EQ(after.prepared.uncompared.empty(), died + 1 < operations) << when;
                expect_one_file_each(disk, when);
            }
        }
    }
}

TEST_F(HardLinksCrashTest, ReplaceFilesInOneStep) {
    options_.receive.conflict = ConflictPolicy::Replace;
    const auto begin = [this](SimDisk &disk) {
        disk.put_file(path(2), "an older version", 5);
        disk.put_file(path(3), "another", 5);
    };
    std::uint64_t operations = 0;
    std::uint64_t before = 0;
    {
        SimDisk disk;
        begin(disk);
        before = disk.operations();
        Attempt whole(offered_, kTarget, options_);
        ASSERT_TRUE(whole.run());
        operations = disk.operations() - before;
        expect_one_file_each(disk, "without a death");
    }
    for (std::uint64_t died = 0; died <= operations; ++died) {
        SimDisk disk;
        begin(disk);
        disk.crash_after(before + died);
        Attempt(offered_, kTarget, options_).run();
        disk.kill();
        EXPECT_TRUE(disk.content(path(2)) == "an older version" ||
                    disk.content(path(2)) == offered_.contents[2]);
        options_.alive = [] { return true; };
        Attempt after(offered_, kTarget, options_);
        ASSERT_TRUE(after.run()) << died;
        ASSERT_EQ(difference(disk.snapshot(kTarget), test::expected_of(offered_)), "") << died;
        expect_one_file_each(disk, "died at " + std::to_string(died));
    }
}

TEST_F(HardLinksCrashTest, AreReceivedAsFilesWhereTheDiskHasNone) {
    SimDisk disk;
    disk.put_folder("/home");
    disk.fail(test::SimCall::MakeHardLink, fs::ErrorKind::Refused, 0, 1000);
    Attempt attempt(offered_, kTarget, options_);
    ASSERT_TRUE(attempt.run());
    EXPECT_EQ(attempt.bytes_sent, 2 * 90'000u + 3 * 700 + 60'000);
    EXPECT_EQ(difference(disk.snapshot(kTarget), test::expected_of(offered_)), "");
    EXPECT_FALSE(disk.is_one_file(path(2), path(0)));
}

} // namespace
} // namespace thru::test
