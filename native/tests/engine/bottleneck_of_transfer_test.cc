// A transfer's reports to its connection: the bottleneck, the disk that delays it, and others that
// go first. In virtual time, on disks that the test controls.
#include <gtest/gtest.h>

#include "engine/folder_link.h"
#include "engine/source_end.h"
#include "fs/disk.h"

namespace thru::test {
namespace {

struct BottleneckOfTransfer : testing::Test {
    void begin() {
        sending = std::make_unique<SourceEnd>(path());
        receiving = std::make_unique<FolderEnd>(target.path());
        pair.emplace(sim::LinkConfig{}, *sending, *receiving);
        sending->attach(pair->sender());
        receiving->attach(pair->receiver());
    }
    std::string path() {
        const auto file = source / "file";
        test::write_file(file, test::noise(kBytes, 1));
        return file.string();
    }
    template <class Condition> bool run_until(Condition done, double seconds = 60) {
        return pair->run_until(
            [&] {
                sending->pump();
                receiving->pump(pair->now());
                return done() || receiving->failure().has_value();
            },
            seconds);
    }
    void run(double seconds) {
        run_until([] { return false; }, seconds);
    }
    Bottleneck sender() { return pair->sender().statistics(pair->now()).limited_by; }
    Bottleneck receiver() { return pair->receiver().statistics(pair->now()).limited_by; }

    static constexpr std::size_t kBytes = 40 << 20;
    TemporaryFolder source;
    TemporaryFolder target;
    std::unique_ptr<SourceEnd> sending;
    std::unique_ptr<FolderEnd> receiving;
    std::optional<sim::Pair> pair;
};

TEST_F(BottleneckOfTransfer, AShareThatIsBeingListedHasNothingToSend) {
    begin();
    sending->hold_disk();
    run(3);
    EXPECT_EQ(sender(), Bottleneck::Application);
    EXPECT_EQ(receiver(), Bottleneck::Application);
    sending->release_disk();
}

TEST_F(BottleneckOfTransfer, AnUnreadSourceIsTheSendersDisk) {
    begin();
    ASSERT_TRUE(run_until([&] { return receiving->transfer().totals().bytes > 1 << 20; }));
    sending->hold_disk();
    // Uses up the chunks that were read ahead.
    run(5);
    EXPECT_EQ(sender(), Bottleneck::Disk);
    EXPECT_EQ(receiver(), Bottleneck::Peer);
    sending->release_disk();
    ASSERT_TRUE(run_until([&] { return receiving->finished().has_value(); }));
}

TEST_F(BottleneckOfTransfer, OfWhatIsOnItsWayTheNetworkIsTheLimit) {
    begin();
    ASSERT_TRUE(run_until([&] { return receiving->transfer().totals().bytes > kBytes / 2; }));
    const auto times = pair->sender().statistics(pair->now()).limited_for;
    const auto of = [&](Bottleneck one) { return times.at(static_cast<std::size_t>(one)); };
    EXPECT_GT(of(Bottleneck::Pacing) + of(Bottleneck::Congestion), kSecond);
    EXPECT_LT(of(Bottleneck::Disk), kSecond / 10);
}

TEST_F(BottleneckOfTransfer, APauseIsAPauseAtBothEnds) {
    begin();
    ASSERT_TRUE(run_until([&] { return receiving->transfer().totals().bytes > 1 << 20; }));
    receiving->transfer().set_paused(true);
    run(2);
    EXPECT_EQ(sender(), Bottleneck::Paused);
    EXPECT_EQ(receiver(), Bottleneck::Paused);
}

TEST_F(BottleneckOfTransfer, ASenderThatHasSentEverythingWaitsForItsPeer) {
    begin();
    ASSERT_TRUE(run_until([&] { return receiving->finished().has_value(); }));
    run(1);
    EXPECT_EQ(sender(), Bottleneck::Peer);
}

using RoomForOthers = BottleneckOfTransfer;

TEST_F(RoomForOthers, IsLeftByASenderThatIsToldSoInMidTransfer) {
    begin();
    ASSERT_TRUE(run_until([&] { return receiving->transfer().totals().bytes > 1 << 20; }));
    EXPECT_FALSE(pair->sender().background());
    for (const bool enabled : {true, false}) {
        sending->context().background = enabled;
        run(0.1);
        EXPECT_EQ(pair->sender().background(), enabled);
    }
    EXPECT_FALSE(receiving->finished());
}

TEST_F(RoomForOthers, IsLeftByASenderWhoseReceiverWantsItAlsoInMidTransfer) {
    begin();
    receiving->context().background = true;
    ASSERT_TRUE(run_until([&] { return receiving->transfer().totals().bytes > 1 << 20; }));
    EXPECT_TRUE(pair->sender().background());
    for (const bool enabled : {false, true}) {
        receiving->context().background = enabled;
        run(0.1);
        EXPECT_EQ(pair->sender().background(), enabled);
    }
    EXPECT_FALSE(receiving->finished());
}

/// A receiver whose disk does not answer, and more data than its window.
struct BottleneckOfFolder : testing::Test, protected test::FolderLink {
    /// Runs with large amounts of data: the disk gets fewer turns than the network.
    template <class Condition> bool run_in_bulk_until(Condition done, double seconds = 60) {
        constexpr std::size_t kNetworkTurns = 64;
        return pair_->run_until(
            [&, turn = std::size_t{0}]() mutable {
                sending_->pump();
                if (++turn % kNetworkTurns == 0) {
                    receiving_->pump(pair_->now());
                }
                return done() || receiving_->failure().has_value();
            },
            seconds);
    }
    TemporaryFolder target;
};

TEST_F(BottleneckOfFolder, AFolderThatTakesNothingIsTheReceiversDiskAndTheSendersWindow) {
    begin(test::files_of(10, 10 << 20), target.path());
    ASSERT_TRUE(run_until([this] { return receiving_->transfer().totals().bytes > 1 << 20; }));
    receiving_->hold_disk();
    run_until([] { return false; }, 10);
    EXPECT_EQ(pair_->receiver().statistics(pair_->now()).limited_by, Bottleneck::Disk);
    EXPECT_EQ(pair_->sender().statistics(pair_->now()).limited_by, Bottleneck::FlowControl);
    EXPECT_GE(2 * pair_->receiver().unconsumed_bytes(), kConnectionWindow);
    receiving_->release_disk();
    ASSERT_TRUE(run_until([this] { return receiving_->finished().has_value(); }));
    EXPECT_EQ(pair_->receiver().unconsumed_bytes(), 0U);
}

/// Syncs never end, but data can be written.
TEST_F(BottleneckOfFolder, ASyncHoldsNothingUpUntilWhatAPowerLossCostsIsReached) {
    constexpr std::uint64_t kFile = 400ULL << 20;
    constexpr std::uint64_t kMaxUnsynced = 256ULL << 20;
    constexpr std::uint64_t kUnderWay = 64ULL << 20;
    link_ = sim::link_of(10, 2000);
    begin(test::files_of(1, kFile), FolderEnd::with_lanes(target.path()));
    ASSERT_TRUE(run_until([this] { return receiving_->transfer().totals().bytes > 1 << 20; }));
    receiving_->hold_syncs();
    // Three times the window: no data waits for the sync.
    ASSERT_TRUE(run_in_bulk_until(
        [this] { return receiving_->transfer().totals().bytes > 3 * kConnectionWindow; }));
    EXPECT_LT(pair_->receiver().unconsumed_bytes(), kConnectionWindow / 2);
    run_in_bulk_until([] { return false; }, 5);
    EXPECT_GE(receiving_->transfer().totals().bytes, kMaxUnsynced);
    EXPECT_LE(receiving_->transfer().totals().bytes, kMaxUnsynced + 2 * kUnderWay);
    EXPECT_GE(2 * pair_->receiver().unconsumed_bytes(), kConnectionWindow);
    EXPECT_LE(pair_->receiver().unconsumed_bytes(), kConnectionWindow);
    EXPECT_EQ(pair_->receiver().statistics(pair_->now()).limited_by, Bottleneck::Disk);
    receiving_->release_disk();
    ASSERT_TRUE(run_until([this] { return receiving_->finished().has_value(); }));
    EXPECT_EQ(receiving_->transfer().totals().bytes, kFile);
}

} // namespace
} // namespace thru::test
