// A whole receive in virtual time, on a disk that fails while data is arriving.
#include <gtest/gtest.h>

#include "crash/receive_scenario.h"
#include "engine/folder_link.h"

namespace thru::test {
namespace {

using fs::ErrorKind;

constexpr std::uint64_t kMiB = 1 << 20;

class ReceiveTransferOnFailingDisk : public testing::Test, protected test::FolderLink {
protected:
    ReceiveTransferOnFailingDisk() { disk_.put_folder("/home"); }

    void begin(std::shared_ptr<ManifestTable> manifest, std::set<std::uint64_t> unreadable) {
        FolderLink::begin(std::move(manifest), kTarget, {}, std::move(unreadable));
    }
    void let_pass(double seconds) {
        run_until([] { return false; }, seconds);
        // A silent link gets no turns. One turn starts the due work, another completes it.
        receiving_->pump(pair_->now());
        receiving_->pump(pair_->now());
    }
    /// Holds the disk after `bytes` were received, for longer than the interval between commits:
    /// later data waits for the disk, and the commit waits behind it.
    void hold_behind(std::uint64_t bytes) {
        ASSERT_TRUE(run_until([&] { return receiving_->transfer().totals().bytes >= bytes; }));
        receiving_->take_turns_between_completions();
        receiving_->hold_disk();
        let_pass(5);
    }
    void expect_finished(const std::string &name, std::uint64_t index, std::uint64_t size) {
        receiving_->release_disk();
        ASSERT_TRUE(
            run_until([this] { return receiving_->finished() && sending_->finished(); }, 300));
        ASSERT_FALSE(receiving_->failure()) << receiving_->failure()->detail;
        const auto wanted = sim::content_of(index, 0, size);
        // A published file is on the disk, and survives a power loss.
        receiving_->finish_disk();
        disk_.lose_power(1);
        const auto content = disk_.content(std::string(kTarget) + "/" + name);
        ASSERT_TRUE(content);
        EXPECT_TRUE(*content == as_text(wanted));
    }

    SimDisk disk_;
};

TEST_F(ReceiveTransferOnFailingDisk, AFileThatBecameCompleteDuringAFailedCommitIsNotPublished) {
    // A size whose hash fits into the last write.
    constexpr std::uint64_t kSize = 9 * kMiB - 16 * 1024;
    begin(test::files_of(1, kSize), {});
    // Only the last write is missing: otherwise the commit would run before it.
    hold_behind(kSize - 400 * 1024);
    disk_.fail(SimCall::SyncData, ErrorKind::Io);
    // Nothing is resent before the next commit ends.
    sending_->sender().pause();
    receiving_->release_disk();
    let_pass(1);
    let_pass(5);
    EXPECT_EQ(disk_.unused_faults(), 0U);
    EXPECT_FALSE(disk_.content(std::string(kTarget) + "/f0"));
    sending_->sender().resume();
    expect_finished("f0", 0, kSize);
    EXPECT_GT(sending_->sent(), kSize);
}

TEST_F(ReceiveTransferOnFailingDisk, ADiskThatIsFullAgainAndAgainOnlyDelays) {
    begin(test::files_of(1, 20 * kMiB), {});
    hold_behind(8 * kMiB + 1);
    disk_.fail(SimCall::SyncData, ErrorKind::Full, 0, 6);
    expect_finished("f0", 0, 20 * kMiB);
    EXPECT_TRUE(receiving_->problems().empty());
    EXPECT_EQ(disk_.unused_faults(), 0U);
    // The pauses double, because data sent in between is wasted.
    EXPECT_GT(pair_->now(), 10 * kSecond);
}

TEST_F(ReceiveTransferOnFailingDisk, BytesOfResetSegmentsAreWrittenBeforeTheSameFilesComeAgain) {
    begin(test::files_of(6, 3 * kMiB), {1, 3});
    ASSERT_TRUE(run_until([this] { return receiving_->accepted().has_value(); }));
    hold_behind(0);
    expect_finished("f0", 0, 3 * kMiB);
    for (const std::uint64_t index : {2, 4, 5}) {
        const auto wanted = sim::content_of(index, 0, 3 * kMiB);
        const auto content = disk_.content(std::string(kTarget) + "/f" + std::to_string(index));
        ASSERT_TRUE(content) << index;
        EXPECT_TRUE(*content == as_text(wanted)) << index;
    }
    EXPECT_EQ(receiving_->problems().size(), 2U);
}

} // namespace
} // namespace thru::test
