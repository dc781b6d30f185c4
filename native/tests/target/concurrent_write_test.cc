// One folder written by several strands of the disk pool concurrently.
#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <random>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "fs/disk_pool.h"
#include "support/latch.h"
#include "target/local_transfer.h"
#include "transfer/manifests.h"

namespace thru::test {
namespace {

constexpr std::size_t kWrittenFiles = 80;
constexpr std::uint64_t kPieces = 5;
constexpr std::uint64_t kPieceBytes = 10'000;

/// Segments of one piece each, from more large files than are held open, in random order.
std::vector<SegmentPlan> shuffled_plans() {
    std::vector<SegmentPlan> plans;
    for (std::uint64_t file = 0; file < kWrittenFiles; ++file) {
        for (std::uint64_t piece = 0; piece < kPieces; ++piece) {
            plans.push_back({{file, piece * kPieceBytes, kPieceBytes}});
        }
    }
    std::ranges::shuffle(plans, std::mt19937(5));
    return plans;
}

class ConcurrentWriteTest : public testing::Test {
protected:
    void post(DiskPool &pool, const SegmentPlan &plan,
              std::function<void(const test::Written &)> done) {
        const auto offset = static_cast<std::size_t>(plan[0].offset);
        pool.post(pool.make_strand(),
                  {[this, plan, offset, done = std::move(done)] {
                       const auto data = std::string_view(content_).substr(offset, kPieceBytes);
                       done(write_segment(folder_, segment_stream(plan, data), 3000));
                   },
                   {}});
    }

    TemporaryFolder target_;
    std::string content_ = test::noise(kPieces * kPieceBytes, 1);
    std::shared_ptr<ReceiveFolder> folder_ =
        test::open_in(target_.path(), test::files_of(kWrittenFiles, kPieces *kPieceBytes));
};

TEST_F(ConcurrentWriteTest, SettlesMeanwhile) {
    std::atomic<std::size_t> complete = 0;
    std::size_t named = 0;
    std::mutex mutex;
    std::map<std::uint64_t, std::uint64_t> left;
    for (std::size_t file = 0; file < kWrittenFiles; ++file) {
        left[file] = kPieces;
    }
    {
        DiskPool pool(4, [] {});
        const auto settling = pool.make_strand();
        for (const SegmentPlan &plan : shuffled_plans()) {
            post(pool, plan, [&, plan, settling](const test::Written &written) {
                complete += written.whole() ? 1 : 0;
                const std::lock_guard lock(mutex);
                if (--left[plan[0].index] == 0) {
                    pool.post(settling, {[&, index = plan[0].index] {
                                             folder_->add_complete({index});
                                             named += folder_->commit().published.size();
                                         },
                                         {}});
                }
            });
        }
    }
    EXPECT_EQ(complete, kWrittenFiles * kPieces);
    EXPECT_EQ(named, kWrittenFiles);
    EXPECT_TRUE(folder_->finish());
    const auto found = test::snapshot(target_.path());
    EXPECT_EQ(found.size(), kWrittenFiles);
    for (const auto &[name, content] : found) {
        EXPECT_TRUE(content == content_) << name;
    }
}

TEST_F(ConcurrentWriteTest, SuspendingMeanwhileLeavesNoPartWithoutAJournal) {
    const TemporaryFolder other;
    folder_ = test::open_in(other.path(), test::files_of(kWrittenFiles, kPieces * kPieceBytes),
                            {.resume = false});
    std::atomic<int> written_count = 0;
    test::Latch some_written(1);
    {
        DiskPool pool(4, [] {});
        for (const SegmentPlan &plan : shuffled_plans()) {
            post(pool, plan, [&](const test::Written & /*written*/) {
                if (++written_count == 20) {
                    some_written.count_down();
                }
            });
        }
        some_written.wait();
        folder_->suspend();
    }
    EXPECT_TRUE(test::snapshot(other.path()).empty());
}

} // namespace
} // namespace thru::test
