// Sparse files that are received repeatedly.
#include <gtest/gtest.h>

#include "crash/receive_scenario.h"
#include "support/prepare_folder.h"
#include "transfer/manifests.h"

namespace thru::test {
namespace {

using fs::ErrorKind;

constexpr std::uint64_t kHoleBytes = 64 << 10;
constexpr std::uint64_t kFileBytes = 10 * kHoleBytes;

class HolesTest : public testing::Test {
protected:
    HolesTest() { disk_.put_folder("/home"); }

    /// Starts or resumes the receive.
    void open() {
        const auto manifest = std::make_shared<ManifestTable>();
        EXPECT_TRUE(manifest->add(test::sparse_file("image", kFileBytes)));
        folder_ = ReceiveFolder::open(kTarget, manifest, {}, {.share = {1}, .origin = {2}}).value();
        const auto prepared = test::prepare(*folder_, 0, 1, {});
        ASSERT_TRUE(prepared);
        offset_ = prepared->have.empty() ? 0 : prepared->have.front().offset;
        if (!prepared->missing.empty()) {
            offset_ = prepared->missing.front().offset;
        }
    }
    /// Writes a piece filled with this letter.
    void write(std::uint64_t piece, char letter, bool damaged = false) {
        const SegmentPlan plan = {{0, piece * kHoleBytes, kHoleBytes}};
        Bytes header;
        encode_segment_header(plan, header);
        SegmentWriter writer(folder_, plan, header);
        Bytes data = test::data_and_hash(header, std::string(kHoleBytes, letter));
        data.back() ^= damaged ? 1 : 0;
        EXPECT_TRUE(writer.write(data));
        EXPECT_EQ(writer.outcome(), damaged ? SegmentOutcome::Damaged : SegmentOutcome::Verified);
    }
    std::optional<WriteFailure> holes(std::uint64_t first, std::uint64_t end) {
        return folder_->on_hole(
            {.index = 0, .offset = first * kHoleBytes, .length = (end - first) * kHoleBytes});
    }
    void suspend() {
        folder_->suspend();
        folder_.reset();
    }
    void kill() {
        folder_.reset();
        disk_.kill();
    }

    SimDisk disk_;
    std::shared_ptr<ReceiveFolder> folder_;
    /// The bytes from an earlier attempt, up to the first gap.
    std::uint64_t offset_ = 0;
};

TEST_F(HolesTest, OfAnOlderVersionDoNotStandForDataOfTheNewOne) {
    for (const bool ends_with_hole : {false, true}) {
        open();
        write(0, 'a');
        EXPECT_FALSE(holes(1, 8));
        if (!ends_with_hole) {
            write(8, 'b');
        }
        suspend();
        open();
        EXPECT_EQ(offset_, (ends_with_hole ? 1 : 9) * kHoleBytes);
        // The new version has data there; some of it arrives later.
        EXPECT_TRUE(folder_->restart(0));
        write(0, 'c');
        write(8, 'd');
        suspend();
        open();
        EXPECT_EQ(offset_, kHoleBytes);
        folder_->drop({{0, 1}});
        EXPECT_TRUE(folder_->finish());
        folder_.reset();
    }
}

TEST_F(HolesTest, ThatCannotBeClearedFailTheFile) {
    open();
    write(0, 'a');
    write(1, 'a');
    suspend();
    open();
    EXPECT_TRUE(folder_->restart(0));
    write(0, 'b');
    disk_.fail(SimCall::Write, ErrorKind::Full);
    const auto failed = holes(1, 10);
    ASSERT_TRUE(failed);
    EXPECT_EQ(failed->index, 0U);
    EXPECT_EQ(failed->error.code, ErrorCode::DiskFull);
    folder_->add_complete({0});
    EXPECT_TRUE(folder_->commit().published.empty());
    EXPECT_TRUE(folder_->finish());
    EXPECT_TRUE(disk_.snapshot(kTarget).empty());
}

TEST_F(HolesTest, TakeNoPieceForVerifiedThatADamagedCopyWasWrittenOver) {
    open();
    write(0, 'a');
    write(1, 'a');
    write(0, 'b', true);
    kill();
    open();
    EXPECT_EQ(offset_, 0U);
}

TEST_F(HolesTest, AloneWaitForRoomOnAFullDisk) {
    open();
    disk_.fail(SimCall::CreateFile, ErrorKind::Full, 0, 2);
    EXPECT_FALSE(holes(0, 10));
    folder_->add_complete({0});
    const auto full = folder_->commit();
    EXPECT_TRUE(full.failures.empty());
    ASSERT_TRUE(full.fatal);
    EXPECT_EQ(full.fatal->code, ErrorCode::DiskFull);
    EXPECT_EQ(full.waiting, 1U);
    EXPECT_EQ(folder_->commit().published.size(), 1U);
    EXPECT_EQ(disk_.content(std::string(kTarget) + "/image"), std::string(kFileBytes, '\0'));
}

TEST_F(HolesTest, AreDurableOnceACommitWasAfterAKill) {
    open();
    write(0, 'a');
    EXPECT_FALSE(holes(1, 5));
    write(5, 'b');
    kill();
    open();
    EXPECT_EQ(offset_, 6 * kHoleBytes);
    write(6, 'c');
    EXPECT_FALSE(folder_->commit().fatal);
    folder_.reset();
    disk_.lose_power(1);
    open();
    EXPECT_EQ(offset_, 7 * kHoleBytes);
    EXPECT_FALSE(holes(7, 10));
    folder_->add_complete({0});
    EXPECT_EQ(folder_->commit().published.size(), 1U);
    EXPECT_TRUE(folder_->finish());
    EXPECT_EQ(disk_.content(std::string(kTarget) + "/image"),
              std::string(kHoleBytes, 'a') + std::string(4 * kHoleBytes, '\0') +
                  std::string(kHoleBytes, 'b') + std::string(kHoleBytes, 'c') +
                  std::string(3 * kHoleBytes, '\0'));
}

} // namespace
} // namespace thru::test
