// Receiving on a disk that renumbers its files.
#include <gtest/gtest.h>

#include "crash/receive_scenario.h"

namespace thru::test {
namespace {

constexpr std::uint64_t kPiece = 40'000;

/// Resumes to the end; files are renumbered again while the results are compared.
void expect_all_goes_on(SimDisk &disk, const Offered &offered, std::uint64_t received) {
    disk.number_anew();
    Attempt after(offered, kTarget, {.piece = kPiece});
    after.folder = ReceiveFolder::open(kTarget, offered.manifest, {},
                                       {.share = test::kShare, .origin = test::kOrigin})
                       .value();
    ASSERT_TRUE(after.prepare());
    disk.number_anew();
    ASSERT_TRUE(after.send_all() && after.finish());
    EXPECT_TRUE(after.failures.empty());
    EXPECT_TRUE(after.restarted.empty());
    std::uint64_t all = 0;
    for (std::uint64_t index = 0; index < offered.contents.size(); ++index) {
        all += offered.manifest->first_name(index) ? 0 : offered.contents[index].size();
    }
    EXPECT_EQ(after.bytes_sent, all - received);
    EXPECT_EQ(test::difference(disk.snapshot(kTarget), test::expected_of(offered)), "");
}

TEST(FileNumbers, CostNothingThatWasReceivedWhenTheyChange) {
    const Offered offered = test::everything();
    for (const bool killed : {false, true}) {
        for (std::size_t segments = 1; segments < 10; ++segments) {
            SimDisk disk;
            disk.put_folder("/home");
            Attempt before(offered, kTarget, {.piece = kPiece, .max_segments = segments});
            ASSERT_FALSE(before.run());
            if (!killed) {
                before.folder->suspend();
            }
            before.folder.reset();
            disk.kill();
            expect_all_goes_on(disk, offered, before.bytes_sent);
        }
    }
}

TEST(FileNumbers, MayChangeBeforeAFileGetsItsName) {
    const Offered offered = test::everything();
    SimDisk disk;
    disk.put_folder("/home");
    Attempt attempt(offered, kTarget, {.before_commit = [&] { disk.number_anew(); }});
    ASSERT_TRUE(attempt.run());
    EXPECT_TRUE(attempt.failures.empty());
    EXPECT_EQ(attempt.renamed, 0U);
    EXPECT_EQ(test::difference(disk.snapshot(kTarget), test::expected_of(offered)), "");
}

} // namespace
} // namespace thru::test
