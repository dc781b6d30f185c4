// Interrupted receives whose source changes meanwhile, on a disk that dies at every operation.
#include <gtest/gtest.h>

#include "crash/receive_scenario.h"

namespace thru::test {
namespace {

constexpr std::size_t kChangedPiece = 64 * 1024;
constexpr std::size_t kImage = 20 * kChangedPiece + 100;
/// Pieces of the first version that arrive.
constexpr std::size_t kArrived = 17;

class NewerVersionCrashTest : public testing::Test {
protected:
    NewerVersionCrashTest() {
        options_.validator = {5};
        options_.piece = kChangedPiece;
    }

    /// Version `number` differs from the first in the blocks 2 to `number`.
    static Offered version(std::size_t number) {
        std::string content = bytes_of(kImage, 1);
        for (std::size_t block = 2; block <= number; ++block) {
            content[block * kChangedPiece + 7] =
                static_cast<char>(content[block * kChangedPiece + 7] ^ 1);
        }
        Offered offered;
        offered.file("image", content, static_cast<std::int64_t>(number) * 1'000'000'000'007);
        return offered;
    }

    void begin(SimDisk &disk) const {
        disk.put_folder("/home");
        disk.put_folder(kTarget);
        test::SendOptions interrupted = options_;
        interrupted.max_segments = kArrived;
        Attempt(version(1), kTarget, interrupted).run();
    }

    /// Kills an attempt at the second version at every operation, possibly with a loss of power.
    /// `last` arrives then, and must need only a little.
    void sweep(std::size_t last, std::uint64_t seeds) const {
        const Offered second = version(2);
        const Offered newest = version(last);
        std::vector<std::string> operations;
        {
            SimDisk disk;
            begin(disk);
            const auto before = static_cast<std::ptrdiff_t>(disk.operations());
            Attempt whole(second, kTarget, options_);
            ASSERT_TRUE(whole.run());
            EXPECT_EQ(whole.bytes_sent, kImage - (kArrived - 1) * kChangedPiece);
            const auto trace = disk.trace();
            operations.assign(trace.begin() + before, trace.end());
        }
        for (std::size_t died = 0; died <= operations.size(); ++died) {
            // A write that is cut off may name only some of the copied blocks.
            const bool cuts_record = died < operations.size() &&
                                     operations[died].contains(" write ") &&
                                     operations[died].ends_with(".journal");
            SimDisk disk;
            begin(disk);
            disk.crash_after(disk.operations() + died);
            test::SendOptions until_death = options_;
            until_death.alive = [&disk] { return !disk.crashed(); };
            Attempt(second, kTarget, until_death).run();
            const test::SimImage image = disk.image();
            for (std::uint64_t seed = 0; seed <= seeds; ++seed) {
                disk.set_image(image);
                if (seed > 0) {
                    disk.lose_power(seed);
                }
                const std::string when =
                    "died at " + std::to_string(died) + ", seed " + std::to_string(seed);
                test::expect_nothing_wrong(disk, second.expected());
                Attempt after(newest, kTarget, options_);
                ASSERT_TRUE(after.run()) << when;
                if (after.renamed == 0) {
                    ASSERT_EQ(difference(disk.snapshot(kTarget), newest.expected()), "") << when;
                    if (seed == 0 && !cuts_record) {
                        ASSERT_LE(after.bytes_sent, kImage - (kArrived - last + 1) * kChangedPiece)
                            << when;
                    }
                }
            }
        }
    }

    test::SendOptions options_;
};

TEST_F(NewerVersionCrashTest, ContinueWithTheVersionThatCausedThem) { sweep(2, 2); }

TEST_F(NewerVersionCrashTest, ContinueWithAThirdVersion) { sweep(3, 1); }

} // namespace
} // namespace thru::test
