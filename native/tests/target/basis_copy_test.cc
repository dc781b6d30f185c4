// Receiving a file of which the folder has an older version.
#include <fstream>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "support/prepare_folder.h"
#include "support/sizes.h"
#include "target/local_transfer.h"
#include "target/older/basis_copy.h"

namespace thru::test {
namespace {

constexpr std::uint64_t kBlock = 64 * 1024;

TEST(BasisBlocks, AreWholeAndLimitedInNumber) {
    constexpr std::uint64_t kGiB = 1024 * kMiB;
    EXPECT_EQ(BasisBlocks::of(kMiB, kMiB - 1).count, 0U);
    for (const auto &[bytes, block] : {std::pair{kMiB, kBlock},
                                       {64 * kMiB, kBlock},
                                       {16 * kGiB, kBlock},
                                       {16 * kGiB + kBlock, 2 * kBlock},
                                       {256 * kGiB, kMiB},
                                       {256 * kGiB + kMiB, 2 * kMiB},
                                       {3'000 * kGiB, 8 * kMiB}}) {
        const auto blocks = BasisBlocks::of(~std::uint64_t{0}, bytes);
        EXPECT_EQ(blocks.block, block) << bytes;
        EXPECT_EQ(blocks.count, std::min<std::uint64_t>(bytes / block, 1 << 18)) << bytes;
    }
    EXPECT_EQ(BasisBlocks::of(3 * kMiB + 1, 5 * kMiB).bytes(), 3 * kMiB);
    EXPECT_EQ(BasisBlocks::of(5 * kMiB, 3 * kMiB + kBlock - 1).bytes(), 3 * kMiB);
}

class OlderVersion : public testing::Test {
protected:
    static constexpr std::uint64_t kSize = 20 * kMiB;

    OlderVersion() {
        std::filesystem::create_directory(target_);
        offer(content_);
    }

    /// The time of the file is that of no file here: the same size and time would be no conflict.
    void offer(const std::string &content) const {
        test::write_file(source_, content);
        test::make_old(source_);
    }

    void have(const std::string &old) const { test::write_file(target_ / "file", old); }
    std::string changed(std::initializer_list<std::uint64_t> offsets) const {
        std::string old = content_;
        for (const std::uint64_t offset : offsets) {
            old[offset] = static_cast<char>(old[offset] ^ 1);
        }
        return old;
    }
    test::LocalTransfer receive(std::size_t max_segments = ~std::size_t{0}) const {
        return test::transfer(
            {source_.string()}, target_,
            {.max_segments = max_segments, .receive = options_, .share = share_id_});
    }
    /// Expects that this many bytes are sent, the result is right, and nothing else is there.
    void expect_sent(std::uint64_t bytes) const {
        const auto done = receive();
        EXPECT_TRUE(done.result) << done.result.error().detail;
        EXPECT_TRUE(done.finished);
        EXPECT_EQ(done.bytes_sent, bytes);
        const std::map<std::string, std::string> expected{{"file", test::read_file(source_)}};
        EXPECT_TRUE(test::snapshot(target_.string()) == expected);
    }

    TemporaryFolder folder_;
    std::string content_ = test::noise(kSize, 1);
    std::filesystem::path source_ = folder_ / "file";
    std::filesystem::path target_ = folder_ / "in";
    ReceiveOptions options_{.conflict = ConflictPolicy::Update};
    WireId share_id_ = {1};
};

TEST_F(OlderVersion, GivesTheBlocksThatHaveNotChanged) {
    have(changed({0, kMiB + 5, 2 * kMiB - 1, kSize - 1}));
    expect_sent(4 * kBlock);
}

TEST_F(OlderVersion, IsCountedAsReused) {
    have(changed({7}));
    EXPECT_EQ(receive().bytes_reused, kSize - kBlock);
}

TEST_F(OlderVersion, GivesAllOfALogThatGrew) {
    have(content_.substr(0, 9 * kMiB + 100));
    expect_sent(kSize - 9 * kMiB);
}

TEST_F(OlderVersion, GivesTheBeginningOfAFileThatShrank) {
    have(content_ + test::noise(3 * kMiB, 2));
    expect_sent(0);
}

TEST_F(OlderVersion, GivesNothingWhenAllOfItIsAnother) {
    have(test::noise(kSize, 2));
    expect_sent(kSize);
}

TEST_F(OlderVersion, GivesNothingWhenItIsSmall) {
    have(content_.substr(0, kMiB - 1));
    expect_sent(kSize);
}

TEST_F(OlderVersion, GivesBlocksOfAFileOfOneSegment) {
    content_.resize(2 * kMiB);
    offer(content_);
    have(changed({kMiB}));
    expect_sent(kBlock);
}

TEST_F(OlderVersion, GivesNothingOfAFileOfOneSegmentThatIsAnother) {
    content_.resize(2 * kMiB);
    offer(content_);
    have(test::noise(3 * kMiB, 2));
    expect_sent(2 * kMiB);
}

TEST_F(OlderVersion, IsReplacedAsAWholeByTheOtherPolicies) {
    options_.conflict = ConflictPolicy::Replace;
    have(changed({0}));
    expect_sent(kSize);
}

TEST_F(OlderVersion, IsReadBackFromTheDiskWithVerify) {
    options_.verify = true;
    have(changed({kSize / 2}));
    expect_sent(kBlock);
}

TEST_F(OlderVersion, MayBeReceivedWithoutAJournal) {
    options_.resume = false;
    have(changed({kSize / 2}));
    expect_sent(kBlock);
}

TEST_F(OlderVersion, IsComparedAgainAfterEachInterruption) {
    have(changed({0, 4 * kMiB, 12 * kMiB, kSize - 1}));
    const auto before = receive(0);
    EXPECT_TRUE(before.result);
    EXPECT_EQ(before.bytes_sent, 0U);
    EXPECT_EQ(receive(1).bytes_sent, kBlock);
    EXPECT_EQ(receive(2).bytes_sent, 2 * kBlock);
    expect_sent(kBlock);
}

TEST_F(OlderVersion, IsNotNeededOnceItIsCopied) {
    have(changed({0, kSize - 1}));
    EXPECT_EQ(receive(1).bytes_sent, kBlock);
    const std::string other = test::noise(kSize, 3);
    have(other);
    expect_sent(kBlock);
}

/// A copy contains what was hashed, whatever happens to the basis.
TEST_F(OlderVersion, IsCopiedAndNotReadLater) {
    const std::string old = changed({0});
    have(old);
    test::Share share({source_.string()});
    auto opened = ReceiveFolder::open(target_.string(), share.manifest, options_,
                                      {.share = {1}, .receive = {2}, .origin = test::kOriginId});
    ASSERT_TRUE(opened);
    const auto prepared = test::prepare(**opened, 0, 1, {});
    ASSERT_TRUE(prepared && prepared->have.size() == 1);
    EXPECT_EQ(prepared->have[0].validator, kBasisValidator);
    const auto &runs = prepared->extents.at(0);
    ASSERT_EQ(runs.size(), kSize / kBlock);
    have(test::noise(kSize, 4));
    for (const auto &entry : std::filesystem::directory_iterator(target_)) {
        if (entry.path().extension() == ".part") {
            EXPECT_TRUE(test::read_file(entry.path()) == old);
        }
    }
    for (std::size_t at = 0; at < runs.size(); ++at) {
        EXPECT_EQ(runs[at].hash,
                  shortened(test::hash_of(std::string_view(old).substr(at * kBlock, kBlock))));
    }
    (*opened)->suspend();
}

TEST_F(OlderVersion, LeavesNoPartFileWhenItsCopyIsInterrupted) {
    content_ = test::noise(70 * kMiB, 5);
    offer(content_);
    have(content_);
    test::Share share({source_.string()});
    auto opened = ReceiveFolder::open(target_.string(), share.manifest, options_,
                                      {.share = {1}, .receive = {2}, .origin = test::kOriginId});
    ASSERT_TRUE(opened);
    (*opened)->begin_preparation(0, 1, {});
    const auto some = (*opened)->prepare_some();
    ASSERT_TRUE(some);
    EXPECT_FALSE(*some) << "it takes several steps";
    (*opened)->suspend();
    opened->reset();
    EXPECT_EQ(test::snapshot(target_.string()).size(), 1U);
}

TEST_F(OlderVersion, MayBeAPartFileOfTheSameSender) {
    options_ = {};
    for (const WireId &id : {WireId{1}, WireId{7}}) {
        std::filesystem::remove_all(target_);
        offer(content_);
        EXPECT_EQ(receive(2).bytes_sent, 2 * kSegmentBytes);
        std::string newer = content_ + "more";
        newer[kMiB] = static_cast<char>(newer[kMiB] ^ 1);
        offer(newer);
        share_id_ = id;
        expect_sent(newer.size() - 2 * kSegmentBytes + kBlock);
        share_id_ = {1};
    }
}

} // namespace
} // namespace thru::test
