// Segments for several receivers of one share are read once, and each receiver gets the same bytes
// regardless of the distance between them.
#include "engine/segment_cache.h"

#include <deque>
#include <filesystem>

#include <gtest/gtest.h>

#include "engine/held_disk.h"
#include "engine/memory_watch.h"
#include "engine/taking.h"
#include "fs/disk.h"
#include "source/share.h"

namespace thru::test {
namespace {

constexpr std::size_t kFileBytes = 3'000'000;
const SegmentPlan kWhole = {{0, 0, kFileBytes}};

class SegmentCacheTest : public testing::Test {
protected:
    SegmentCacheTest() {
        write_file(folder_ / "file", test::noise(kFileBytes, 1));
        share_.add({(folder_ / "file").string()});
        content_ = *read_segment(share_, kWhole);
    }

    Taking &begin(const SegmentPlan &plan = kWhole) {
        return takings_.emplace_back(cache_, share_, plan);
    }
    /// Changes the file, so that reopening it fails.
    void change() { test::make_old(folder_ / "file"); }

    const TemporaryFolder folder_;
    test::Share share_;
    Bytes content_;
    test::HeldDisk disk_;
    Timestamp now_ = kSecond;
    Scheduler scheduler_;
    SegmentCache cache_{disk_.pool(), scheduler_, BufferPool::create(), [this] { return now_; }};
    std::deque<Taking> takings_;
};

TEST_F(SegmentCacheTest, ReceiversNearEachOtherAreSentWhatWasReadOnce) {
    auto &first = begin();
    auto &second = begin();
    first.take_all();
    disk_.finish();
    EXPECT_EQ(first.got(), content_);
    // Only the cache still has the old content.
    change();
    second.take_all();
    disk_.finish();
    EXPECT_EQ(second.got(), content_);
    EXPECT_EQ(cache_.kept_bytes(), 0U) << "kept though all have it";
}

TEST_F(SegmentCacheTest, ReceiversThatWaitForTheSameChunkGetIt) {
    for (int index = 0; index < 8; ++index) {
        begin().take_all();
    }
    EXPECT_EQ(disk_.finish(), (content_.size() + kChunkBytes - 1) / kChunkBytes) << "read again";
    for (const auto &each : takings_) {
        EXPECT_EQ(each.got(), content_);
    }
    EXPECT_EQ(cache_.kept_bytes(), 0U) << "kept though all have it";
}

TEST_F(SegmentCacheTest, KeepsNothingForASingleReceiver) {
    auto &alone = begin();
    alone.take_all();
    disk_.finish([this] { EXPECT_EQ(cache_.kept_bytes(), 0U); });
    EXPECT_EQ(alone.got(), content_);
}

TEST_F(SegmentCacheTest, AChangeIsFoundByReceiversThatComeLater) {
    auto &first = begin();
    auto &waiting = begin({{0, 0, 1000}});
    first.take_all();
    disk_.finish();
    change();
    now_ += kSharedFor;
    auto &late = begin();
    late.take_all();
    waiting.take_all();
    disk_.finish();
    ASSERT_TRUE(late.failure());
    EXPECT_EQ(late.failure()->error.code, ErrorCode::SourceChanged);
    ASSERT_TRUE(waiting.failure()) << "another plan is read anew";
}

TEST_F(SegmentCacheTest, AChangeWhileItIsReadEndsTheSegmentForAll) {
    auto &first = begin();
    auto &second = begin();
    first.take(2);
    second.take(1);
    disk_.finish();
    change();
    first.take_all();
    second.take_all();
    disk_.finish();
    ASSERT_TRUE(first.failure());
    ASSERT_TRUE(second.failure());
    EXPECT_EQ(second.failure()->index, 0U);
    EXPECT_LT(second.got().size(), content_.size());
    // A later receiver reads the file itself.
    auto &third = begin();
    third.take_all();
    disk_.finish();
    ASSERT_TRUE(third.failure());
}

TEST_F(SegmentCacheTest, ASlowReceiverReadsAgainWhatIsNotKeptForIt) {
    auto &slow = begin();
    slow.take(1);
    disk_.finish();
    auto &fast = begin();
    fast.take_all();
    disk_.finish();
    EXPECT_GT(cache_.kept_bytes(), 0U);
    now_ += kSharedFor;
    slow.take_all();
    EXPECT_EQ(cache_.kept_bytes(), 0U);
    EXPECT_FALSE(slow.done()) << "given what is old";
    disk_.finish();
    EXPECT_EQ(slow.got(), content_);
    EXPECT_EQ(fast.got(), content_);
}

TEST_F(SegmentCacheTest, ASlowReceiverFindsAChangeToo) {
    auto &slow = begin();
    slow.take(1);
    disk_.finish();
    begin().take_all();
    disk_.finish();
    now_ += kSharedFor;
    change();
    slow.take_all();
    disk_.finish();
    ASSERT_TRUE(slow.failure());
    EXPECT_EQ(slow.failure()->error.code, ErrorCode::SourceChanged);
}

TEST_F(SegmentCacheTest, ForgetsWhatIsOldThoughNobodyAsksForAnything) {
    auto &slow = begin();
    slow.take(1);
    begin().take_all();
    disk_.finish();
    scheduler_.run(now_);
    EXPECT_GT(cache_.kept_bytes(), 0U);
    now_ = scheduler_.deadline();
    EXPECT_LE(now_, kSecond + kSharedFor);
    scheduler_.run(now_);
    EXPECT_EQ(cache_.kept_bytes(), 0U);
    EXPECT_EQ(scheduler_.deadline(), kNever);
}

TEST_F(SegmentCacheTest, OneThatAsksAgainIsGivenNothingThatWasReadBefore) {
    begin().take_all();
    auto &behind = begin();
    disk_.finish();
    change();
    Taking again(cache_, share_, cache_.open_alone(share_.files, kWhole, 0));
    again.take_all();
    disk_.finish();
    ASSERT_TRUE(again.failure());
    EXPECT_EQ(again.failure()->error.code, ErrorCode::SourceChanged);
    behind.take_all();
    EXPECT_EQ(behind.got(), content_) << "others are as near each other as before";
}

TEST_F(SegmentCacheTest, NobodyIsGivenWhatIsReadForOneThatAsksAgain) {
    auto &other = begin({{0, 5, 10}});
    other.take(1);
    disk_.finish();
    Taking again(cache_, share_, cache_.open_alone(share_.files, kWhole, 0));
    again.take(3);
    disk_.finish([this] { EXPECT_EQ(cache_.kept_bytes(), 0U); });
    change();
    auto &later = begin();
    later.take_all();
    disk_.finish();
    ASSERT_TRUE(later.failure());
    EXPECT_TRUE(later.got().empty());
}

TEST_F(SegmentCacheTest, NobodyBeginsWhatWasReadBeforeTheComputerSlept) {
    begin().take_all();
    auto &behind = begin();
    behind.take(1);
    disk_.finish();
    change();
    cache_.on_wake();
    EXPECT_EQ(cache_.kept_bytes(), 0U);
    behind.take_all();
    auto &later = begin();
    later.take_all();
    disk_.finish();
    EXPECT_TRUE(behind.failure());
    EXPECT_TRUE(later.failure());
}

TEST_F(SegmentCacheTest, OneThatBeginsAfterAFailureReadsForItself) {
    const auto drive = folder_ / "drive";
    std::filesystem::create_directory(drive);
    write_file(drive / "file", test::noise(1000, 2));
    test::Share share({drive.string()});
    const SegmentPlan plan = {{share.index_of("drive/file"), 0, 1000}};
    std::filesystem::rename(drive, folder_ / "away");
    Taking first(cache_, share, plan);
    Taking second(cache_, share, plan);
    first.take_all();
    second.take_all();
    disk_.finish();
    for (const auto *each : {&first, &second}) {
        ASSERT_TRUE(each->failure());
        EXPECT_EQ(each->failure()->error.code, ErrorCode::PathNotFound);
    }
    std::filesystem::rename(folder_ / "away", drive);
    Taking third(cache_, share, plan);
    third.take_all();
    disk_.finish();
    EXPECT_TRUE(third.done());
}

TEST_F(SegmentCacheTest, TinySegmentsCountWithAllThatTheyTake) {
    // Two readers that take nothing, so that no other is ever alone.
    begin();
    begin();
    const MemoryWatch memory;
    for (std::uint64_t offset = 0; offset < 40'000; ++offset) {
        Taking taking(cache_, share_, SegmentPlan{{0, offset, 1}});
        taking.take_all();
        disk_.finish();
        ASSERT_LE(cache_.kept_bytes(), kMaxCached);
    }
    EXPECT_LE(memory.grown(), kMaxCached + kMaxGrown);
}

TEST_F(SegmentCacheTest, OneWhoseLeaderIsGoneReadsOnFromThere) {
    auto &slow = begin();
    slow.take(1);
    disk_.finish();
    {
        Taking leader(cache_, share_, kWhole);
        leader.take(5);
        disk_.finish();
    }
    EXPECT_EQ(cache_.kept_bytes(), 0U) << "kept for one that is alone";
    slow.take_all();
    disk_.finish();
    EXPECT_EQ(slow.got(), content_);
}

TEST_F(SegmentCacheTest, OneThatLeavesWhileItsChunkIsReadHoldsNobodyUp) {
    auto &staying = begin();
    {
        Taking leaving(cache_, share_, kWhole);
        disk_.hold();
        leaving.take_all();
        staying.take_all();
    }
    disk_.release();
    disk_.finish();
    EXPECT_EQ(staying.got(), content_);
}

TEST_F(SegmentCacheTest, IsBoundedHoweverFarOneIsBehind) {
    constexpr std::uint64_t kLarge = 2 * kMaxCached;
    write_file(folder_ / "large", "");
    std::filesystem::resize_file(folder_ / "large", kLarge);
    test::Share large({(folder_ / "large").string()});
    Taking behind(cache_, large, SegmentPlan{{0, 0, kSegmentBytes}});
    behind.take(1);
    // A third reader, so that none is ever alone.
    Taking third(cache_, large, SegmentPlan{{0, 0, 1}});
    std::uint64_t most = 0;
    for (std::uint64_t offset = 0; offset < kLarge; offset += kSegmentBytes) {
        Taking ahead(cache_, large, SegmentPlan{{0, offset, kSegmentBytes}});
        ahead.take_all();
        disk_.finish([&] { most = std::max(most, cache_.kept_bytes()); });
        EXPECT_TRUE(ahead.done());
    }
    EXPECT_LE(most, kMaxCached);
    EXPECT_GT(most, kMaxCached - 2 * kChunkBytes) << "the bound was not reached";
    behind.take_all();
    disk_.finish();
    EXPECT_TRUE(behind.done());
}

TEST_F(SegmentCacheTest, ManySmallFilesAreReadAgainFromAnyChunk) {
    SegmentPlan plan;
    test::Share share;
    std::vector<std::string> paths;
    for (int file = 0; file < 60; ++file) {
        const auto path = folder_ / ("f" + std::to_string(file));
        write_file(path, test::noise(static_cast<std::size_t>(file % 7) * 9'000,
                                     static_cast<std::uint64_t>(file)));
        paths.push_back(path.string());
    }
    share.add(paths);
    for (std::size_t index = 0; index < paths.size(); ++index) {
        plan.push_back({index, 0, share.manifest->file_size(index)});
    }
    const auto whole = *read_segment(share, plan);
    const auto hash = [&] {
        Hash ending{};
        std::ranges::copy(whole.end() - std::ssize(ending), whole.end(), ending.begin());
        return ending;
    }();
    for (std::size_t offset = 0; offset <= whole.size(); offset += 997) {
        SegmentReader again(share.files, plan, offset, hash);
        Bytes rest(whole.size() - offset);
        const auto filled = again.read(rest);
        ASSERT_TRUE(filled) << offset;
        EXPECT_EQ(*filled, rest.size()) << offset;
        EXPECT_TRUE(std::ranges::equal(rest, ByteView{whole}.subspan(offset))) << offset;
    }
}

} // namespace
} // namespace thru::test
