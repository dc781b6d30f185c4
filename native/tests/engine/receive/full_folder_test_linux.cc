// A whole receive onto a disk that has no room for more files.
#include <fstream>

#include <gtest/gtest.h>

#include "engine/folder_end.h"
#include "fs/disk.h"
#include "fs/small_disk_linux.h"
#include "sim/transfer_ends.h"
#include "sim/virtual_link.h"

namespace thru {
namespace {

TEST(FullFolder, NothingIsSentInVainWhileItHoldsNoMoreFiles) {
    test::on_small_disk("size=64m,nr_inodes=60", [](const std::filesystem::path &disk) {
        std::filesystem::create_directories(disk / "filler");
        for (int filler = 0; filler < 40; ++filler) {
            std::ofstream(disk / "filler" / std::to_string(filler));
        }
        sim::SendingEnd sending(test::files_of(30, 0), {});
        test::FolderEnd receiving(disk / "in");
        sim::Pair pair({}, sending, receiving);
        sending.attach(pair.sender());
        receiving.attach(pair.receiver());
        const auto run_until = [&](const std::function<bool()> &done, double seconds) {
            return pair.run_until(
                [&] {
                    sending.pump();
                    receiving.pump(pair.now());
                    return done() || receiving.failure();
                },
                seconds);
        };
        const auto is_full = [&] {
            return receiving.transfer().flow().kind == FlowState::Kind::DiskFull;
        };
        ASSERT_TRUE(run_until(is_full, 10));
        EXPECT_EQ(receiving.transfer().flow().full, Shortage::Kind::Files);
        // A slow disk must not make it spin, either.
        receiving.hold_disk();
        run_until([] { return false; }, 10);
        EXPECT_GT(receiving.transfer().deadline(), pair.now());
        receiving.release_disk();
        run_until([] { return false; }, 100);
        ASSERT_FALSE(receiving.failure()) << receiving.failure()->detail;
        EXPECT_TRUE(is_full());
        std::filesystem::remove_all(disk / "filler");
        ASSERT_TRUE(run_until([&] { return receiving.finished().has_value(); }, 200));
        ASSERT_FALSE(receiving.failure()) << receiving.failure()->detail;
        EXPECT_EQ(receiving.finished()->files, 30U);
    });
}

TEST(FullFolder, AResumedReceiveKeepsWaitingForRoom) {
    test::on_small_disk("size=64m", [](const std::filesystem::path &disk) {
        const auto manifest = test::files_of(40, 1 << 20);
        std::optional<sim::SendingEnd> sending;
        test::FolderEnd receiving(disk / "in");
        std::optional<sim::Pair> pair;
        const auto connect = [&] {
            pair.reset();
            sending.emplace(manifest, std::set<std::uint64_t>{});
            pair.emplace(sim::LinkConfig{}, *sending, receiving);
            sending->attach(pair->sender());
            receiving.attach(pair->receiver());
        };
        const auto run_until = [&](const std::function<bool()> &done, double seconds) {
            return pair->run_until(
                [&] {
                    sending->pump();
                    receiving.pump(pair->now());
                    return done() || receiving.failure();
                },
                seconds);
        };
        const auto is_full = [&] {
            return receiving.transfer().flow().kind == FlowState::Kind::DiskFull;
        };
        const auto fill = [&] {
            // Leaves no block free.
            std::ofstream filler(disk / "filler", std::ios::app);
            const std::string block(4096, 'f');
            while (filler.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
            }
        };
        connect();
        ASSERT_TRUE(run_until([&] { return receiving.transfer().totals().files > 0; }, 10));
        fill();
        ASSERT_TRUE(run_until(is_full, 10));
        receiving.drop_transfer();
        receiving.finish_disk();
        fill();
        connect();
        ASSERT_TRUE(run_until(is_full, 10));
        run_until([] { return false; }, 10);
        ASSERT_FALSE(receiving.failure()) << receiving.failure()->detail;
        EXPECT_TRUE(is_full());
        std::filesystem::remove(disk / "filler");
        ASSERT_TRUE(run_until([&] { return receiving.finished().has_value(); }, 200));
        ASSERT_FALSE(receiving.failure()) << receiving.failure()->detail;
        EXPECT_EQ(receiving.finished()->files, 40U);
    });
}

} // namespace
} // namespace thru
