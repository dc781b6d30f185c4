#include "source/source_files.h"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "source/share.h"
#include "support/segments.h"

namespace thru::test {
namespace {

TEST(SourceFiles, SayTheSameOfAFileAsLongAsNobodyTouchesIt) {
    const TemporaryFolder folder;
    write_file(folder / "set/file", "content");
    write_file(folder / "set/other", "content");
    test::make_old(folder / "set/file");
    const Share first({(folder / "set").string()});
    const Share second({(folder / "set").string()});
    const auto id = first.files->validator(first.index_of("set/file"));
    EXPECT_NE(id, WireId{});
    EXPECT_EQ(id, second.files->validator(second.index_of("set/file")));
    EXPECT_NE(id, first.files->validator(first.index_of("set/other")));
    write_file(folder / "set/file", "CONTENT");
    const Share third({(folder / "set").string()});
    EXPECT_NE(id, third.files->validator(third.index_of("set/file")));
}

/// The same file twice: as scanned, and as if modified right before the scan.
class StableAndNot : public testing::Test {
protected:
    StableAndNot() {
        write_file(folder_ / "file", "content");
        share_.add({(folder_ / "file").string()});
        scanned_ = share_.entries[0];
    }

    std::size_t add(bool stable, std::uint64_t number) {
        scanned_.identity.stable = stable;
        scanned_.identity.id.number = number;
        EXPECT_TRUE(share_.manifest->add(scanned_.entry));
        share_.files->add(scanned_);
        return share_.manifest->size() - 1;
    }

    TemporaryFolder folder_;
    Share share_;
    ScannedEntry scanned_;
};

TEST_F(StableAndNot, HaveDifferentValidators) {
    const std::uint64_t number = scanned_.identity.id.number;
    const auto stable = add(true, number);
    const auto fresh = add(false, number);
    EXPECT_NE(share_.files->validator(stable), share_.files->validator(fresh));
    EXPECT_EQ(share_.files->validator(fresh), share_.files->validator(add(false, number)));
}

TEST_F(StableAndNot, DifferInWhetherTheNumberAloneCounts) {
    const std::uint64_t number = scanned_.identity.id.number;
    EXPECT_TRUE(share_.files->open(add(true, number + 1)));
    const auto opened = share_.files->open(add(false, number + 1));
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().detail, "it was replaced by another file");
}

TEST(SourceFiles, ConfirmWhatIsTheSame) {
    const TemporaryFolder folder;
    const std::string content = test::noise(700'000, 1);
    write_file(folder / "file", content);
    const Share share({(folder / "file").string()});
    const WireId source = share.files->validator(0);
    const auto claim = [&](std::uint64_t begin, std::uint64_t offset, const WireId &said) {
        return Have{.index = 0,
                    .offset = offset,
                    .hash_begin = begin,
                    .hash = hash_of(content.substr(begin, offset - begin)),
                    .validator = said};
    };
    WireId other = source;
    other[0] ^= 1;
    EXPECT_TRUE(confirms(share.files, claim(100'000, 600'000, source)));
    EXPECT_TRUE(confirms(share.files, claim(0, 700'000, source)));
    EXPECT_TRUE(confirms(share.files, claim(5, 5, source)));
    EXPECT_TRUE(confirms(share.files, claim(0, 700'000, {})));
    EXPECT_FALSE(confirms(share.files, claim(5, 5, {}))) << "decides nothing";
    EXPECT_TRUE(confirms(share.files, claim(0, 700'000, other))) << "all of it was compared";
    EXPECT_FALSE(confirms(share.files, claim(100'000, 600'000, other)));
    EXPECT_FALSE(confirms(share.files, claim(100'000, 600'000, {}))) << "a part of it says nothing";

    auto wrong = claim(100'000, 600'000, source);
    wrong.hash[31] ^= 1;
    EXPECT_FALSE(confirms(share.files, wrong));
    wrong = claim(0, 700'000, source);
    wrong.offset = 700'001;
    EXPECT_FALSE(confirms(share.files, wrong));
    wrong = claim(10, 20, source);
    std::swap(wrong.offset, wrong.hash_begin);
    EXPECT_FALSE(confirms(share.files, wrong));

    std::filesystem::remove(folder / "file");
    EXPECT_FALSE(confirms(share.files, claim(0, 700'000, source)));
}

TEST(SourceFiles, AreComparedAStepAtATime) {
    const TemporaryFolder folder;
    constexpr std::uint64_t kSize = 2 * HaveCheck::kStepBytes + 1;
    write_file(folder / "file", "");
    std::filesystem::resize_file(folder / "file", kSize);
    const Share share({(folder / "file").string()});
    Blake3 holes;
    const Bytes part(1 << 20);
    for (std::uint64_t bytes = 0; bytes < kSize - 1; bytes += part.size()) {
        holes.update(part);
    }
    holes.update(ByteView(part).first(1));
    HaveCheck check(share.files, {.index = 0, .offset = kSize, .hash = holes.finish()});
    EXPECT_FALSE(check.step());
    EXPECT_FALSE(check.step());
    const auto answered = check.step();
    ASSERT_TRUE(answered);
    EXPECT_TRUE(answered->same);
}

/// A file of four runs, the third a hole. The receiver has it under another validator.
class Compared : public testing::Test {
protected:
    Compared() {
        content_.resize(4 * kRun);
        std::fill_n(content_.begin() + 2 * kRun, kRun, '\0');
        write_file(folder_ / "file", content_);
        share_.add({(folder_ / "file").string()});
        for (std::size_t run = 0; run < 4; ++run) {
            runs_.push_back({.length = kRun});
            if (run != 2) {
                runs_.back().hash = shortened(hash_of(content_.substr(run * kRun, kRun)));
            }
        }
    }

    HaveCheck::Answer answer() const {
        const Have have{.index = 0,
                        .offset = content_.size(),
                        .hash_begin = 3 * kRun,
                        .hash = hash_of(content_.substr(3 * kRun)),
                        .validator = {1}};
        return test::answer(share_.files, have, runs_, takes_parts_);
    }

    /// Gives the receiver runs of `small` bytes, from the first on every other one wrong. Returns
    /// the number of wrong ones.
    std::uint64_t differ_in_every_other(std::size_t small) {
        runs_.clear();
        for (std::size_t at = 0; at < content_.size(); at += small) {
            runs_.push_back(
                {.length = small, .hash = shortened(hash_of(content_.substr(at, small)))});
            auto &first = runs_.back().hash.front();
            first = static_cast<std::uint8_t>(first ^ (at % (2 * small) == 0 ? 1 : 0));
        }
        return content_.size() / (2 * small);
    }

    static constexpr std::size_t kRun = 100'000;
    TemporaryFolder folder_;
    std::string content_ = test::noise(4 * kRun, 1);
    Share share_;
    std::vector<Extents::Run> runs_;
    bool takes_parts_ = false;
};

TEST_F(Compared, IsConfirmedWhenAllRunsAreTheSame) {
    const auto answered = answer();
    EXPECT_TRUE(answered.same);
    EXPECT_TRUE(answered.different.empty());
}

TEST_F(Compared, IsConfirmedButForTheRunsThatDiffer) {
    runs_[1].hash.front() ^= 1;
    auto answered = answer();
    EXPECT_TRUE(answered.same);
    EXPECT_EQ(answered.different, (std::vector<ByteRange>{{kRun, kRun}}));
    runs_[0] = {.length = kRun}; // data where the receiver has a hole
    answered = answer();
    EXPECT_EQ(answered.different, (std::vector<ByteRange>{{0, 2 * kRun}}));
}

TEST_F(Compared, DiffersWhereNoMoreIsKnown) {
    runs_.resize(2);
    const auto answered = answer();
    EXPECT_TRUE(answered.same);
    EXPECT_EQ(answered.different, (std::vector<ByteRange>{{2 * kRun, 2 * kRun}}));
}

TEST_F(Compared, IsRestartedWhenNothingIsTheSame) {
    runs_.clear();
    EXPECT_FALSE(answer().same);
}

TEST_F(Compared, DiffersInNoMoreRangesThanAConfirmHolds) {
    const std::uint64_t all = differ_in_every_other(50);
    const auto answered = answer();
    EXPECT_TRUE(answered.same);
    ASSERT_EQ(answered.different.size(), kMaxDifferent);
    // The nearest ranges are joined.
    std::uint64_t bytes = 0;
    for (const ByteRange &range : answered.different) {
        bytes += range.length;
    }
    EXPECT_EQ(bytes, all * 50 + (all - kMaxDifferent) * 50);
}

TEST_F(Compared, DiffersInAnyNumberOfRangesIfTheReceiverTakesParts) {
    takes_parts_ = true;
    const std::uint64_t all = differ_in_every_other(50);
    const auto answered = answer();
    EXPECT_TRUE(answered.same);
    ASSERT_EQ(answered.different.size(), all);
    for (std::uint64_t at = 0; at < all; ++at) {
        EXPECT_EQ(answered.different[at], (ByteRange{.offset = at * 100, .length = 50}));
    }
}

TEST(SourceFiles, ConfirmTexts) {
    Share share;
    share.add_items({{.text = "first"}, {.text = "other"}, {.text = "first"}});
    const auto id = share.files->validator(0);
    EXPECT_NE(id, share.files->validator(1));
    EXPECT_EQ(id, share.files->validator(2));
    Have have{.index = 0, .offset = 4, .hash_begin = 1, .hash = hash_of("irs"), .validator = id};
    EXPECT_TRUE(confirms(share.files, have));
    have.index = 1;
    EXPECT_FALSE(confirms(share.files, have));
}

TEST(SourceFiles, GiveTheBytesOfTexts) {
    const TemporaryFolder folder;
    write_file(folder / "file", "content");
    Share share({(folder / "file").string()});
    share.add_items({{.text = "text"}});
    EXPECT_EQ(share.files->text(0), nullptr);
    ASSERT_NE(share.files->text(1), nullptr);
    EXPECT_EQ(*share.files->text(1), "text");
    EXPECT_EQ(test::read_entry(share, 1), "text");
}

TEST(SourceFiles, OpenFilesOfManyItemsForManyThreads) {
    constexpr std::size_t kItems = 50;
    constexpr std::size_t kThreads = 4;
    const TemporaryFolder folder;
    std::vector<std::string> paths;
    for (std::size_t item = 0; item < kItems; ++item) {
        const auto path = folder / ("item" + std::to_string(item));
        write_file(path / "sub/file", std::to_string(item));
        paths.push_back(path.string());
    }
    const Share share(paths);
    std::atomic<std::size_t> right = 0;
    std::vector<std::thread> threads;
    for (std::size_t thread = 0; thread < kThreads; ++thread) {
        threads.emplace_back([&, thread] {
            for (std::size_t at = 0; at < 4 * kItems; ++at) {
                const std::size_t item = at * (2 * thread + 1) % kItems;
                // Each item has three entries: the folder, its subfolder, the file.
                right += test::read_entry(share, 3 * item + 2) == std::to_string(item) ? 1 : 0;
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    EXPECT_EQ(right, kThreads * 4 * kItems);
}

TEST(SourceFiles, GrowWhileOthersRead) {
    constexpr std::size_t kTexts = 5000; // more than a block of any list
    Share share;
    std::atomic<std::size_t> existing = 0;
    std::atomic<bool> right = true;
    std::thread reader([&] {
        for (std::size_t next = 0; next < kTexts; ++next) {
            while (existing.load(std::memory_order_acquire) <= next) {
                std::this_thread::yield();
            }
            for (const std::size_t index : {next, next / 2}) {
                right = right && *share.files->text(index) == std::to_string(index) &&
                        share.files->validator(index) != WireId{};
            }
        }
    });
    for (std::size_t text = 0; text < kTexts; ++text) {
        share.add_items({{.text = std::to_string(text)}});
        existing.store(text + 1, std::memory_order_release);
    }
    reader.join();
    EXPECT_TRUE(right);
}

TEST(SourceFiles, KnowsTheDiskOfEachEntry) {
    SourceFiles files(std::make_shared<ManifestTable>(), std::make_shared<TreeScan>(ScanOptions{}));
    const std::vector<std::uint64_t> disks = {7, 1ULL << 40, 7};
    for (const auto disk : disks) {
        ScannedEntry entry;
        entry.identity.id.device = disk;
        files.add(entry);
    }
    for (std::size_t index = 0; index < disks.size(); ++index) {
        EXPECT_EQ(files.disk(index), disks[index]);
    }
}

} // namespace
} // namespace thru::test
