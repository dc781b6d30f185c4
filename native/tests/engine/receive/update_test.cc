// Updating a file of the folder from a sender, in virtual time.
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "engine/folder_link.h"
#include "fs/disk.h"
#include "support/sizes.h"

namespace thru::test {
namespace {

constexpr std::uint64_t kBlock = 64 * 1024;
constexpr std::uint64_t kSize = 96 * kMiB;

class UpdateOverALink : public testing::Test, protected test::FolderLink {
protected:
    UpdateOverALink() {
        link_ = {.one_way_delay = 20 * kMillisecond, .rate = 12.5e6};
        older_ = content_;
        for (const std::uint64_t offset : {kMiB, 30 * kMiB, 30 * kMiB + kBlock, 90 * kMiB}) {
            older_[offset] = static_cast<char>(older_[offset] ^ 1);
        }
        test::write_file(target_ / "f0", older_);
        begin(test::files_of(1, kSize), target_.path());
        receiving_->accept_by([this](ReceiveTransfer &transfer) {
            // Data of a sender without an origin isn't resumed after a gap.
            transfer.set_origin({9});
            transfer.accept(target_.path().string(), {.conflict = ConflictPolicy::Update}, {},
                            std::nullopt);
        });
    }
    void expect_finished() {
        ASSERT_TRUE(run_until([this] { return receiving_->finished() && sending_->finished(); }));
        ASSERT_FALSE(receiving_->failure()) << receiving_->failure()->detail;
        EXPECT_TRUE(test::read_file(target_ / "f0") == content_);
    }

    TemporaryFolder target_;
    const std::string content_{as_text(sim::content_of(0, 0, kSize))};
    std::string older_;
};

TEST_F(UpdateOverALink, SendsTheBlocksThatChanged) {
    expect_finished();
    EXPECT_EQ(sending_->sent(), 4 * kBlock);
    // Sending all of it would take eight seconds.
    EXPECT_LT(pair_->now(), 2 * kSecond);
}

TEST_F(UpdateOverALink, ContinuesAfterALostConnection) {
    ASSERT_TRUE(run_until([this] { return sending_->sent() >= kBlock; }));
    const std::uint64_t before = sending_->sent();
    receiving_->drop_transfer();
    receiving_->finish_disk();
    connect();
    expect_finished();
    EXPECT_LE(before + sending_->sent(), 8 * kBlock);
}

} // namespace
} // namespace thru::test
