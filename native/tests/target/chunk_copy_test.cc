// Receiving a file of which the folder has an older version whose data has moved.
#include <random>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "support/prepare_folder.h"
#include "support/sizes.h"
#include "target/local_transfer.h"
#include "target/older/chunk_copy.h"

namespace thru {
namespace {

using test::kMiB;
using test::TemporaryFolder;

/// Chunks of these files are 8 KiB on average.
constexpr std::uint64_t kMaxChunk = 64 * 1024;

class MovedData : public testing::Test {
protected:
    static constexpr std::uint64_t kSize = 20 * kMiB;

    MovedData() {
        std::filesystem::create_directory(target_);
        test::write_file(target_ / "file", old_);
    }

    /// The time of the file is that of no file here: the same size and time would be no conflict.
    void offer(const std::string &content) const {
        test::write_file(source_, content);
        test::make_old(source_);
    }
    test::LocalTransfer receive(std::size_t max_segments = ~std::size_t{0}) const {
        return test::transfer(
            {source_.string()}, target_,
            {.max_segments = max_segments, .receive = options_, .lists_chunks = true});
    }
    auto open(const test::Share &share) const {
        return ReceiveFolder::open(
            target_.string(), share.manifest, options_,
            {.share = {1}, .receive = {2}, .origin = test::kOriginId, .lists_chunks = true});
    }
    /// Expects at most this many bytes to be sent, the right result, and nothing else there.
    void expect_sent(std::uint64_t most) const {
        const auto done = receive();
        EXPECT_TRUE(done.result) << done.result.error().detail;
        EXPECT_TRUE(done.finished);
        EXPECT_LE(done.bytes_sent, most);
        const std::map<std::string, std::string> expected{{"file", test::read_file(source_)}};
        EXPECT_TRUE(test::snapshot(target_.string()) == expected);
    }
    std::string with(std::initializer_list<std::uint64_t> offsets, const std::string &text) const {
        std::string content = old_;
        for (const std::uint64_t offset : offsets) {
            content.insert(static_cast<std::size_t>(offset), text);
        }
        return content;
    }

    TemporaryFolder folder_;
    std::string old_ = test::noise(kSize, 1);
    std::filesystem::path source_ = folder_ / "file";
    std::filesystem::path target_ = folder_ / "in";
    ReceiveOptions options_{.conflict = ConflictPolicy::Update};
};

TEST_F(MovedData, IsFoundBehindInsertions) {
    offer(with({5, 7 * kMiB, kSize}, "inserted"));
    expect_sent(3 * 2 * kMaxChunk);
}

TEST_F(MovedData, IsFoundInFrontOfWhatIsDeleted) {
    offer(old_.substr(100, 5 * kMiB) + old_.substr(6 * kMiB));
    expect_sent(3 * kMaxChunk);
}

TEST_F(MovedData, IsFoundInAnyOrder) {
    offer(old_.substr(kSize / 2) + old_.substr(0, kSize / 2) + old_.substr(kSize / 4, kMiB));
    expect_sent(6 * kMaxChunk);
}

TEST_F(MovedData, MayBeAllThatIsOffered) {
    offer(old_.substr(0, 2 * kMiB) + old_.substr(0, 2 * kMiB));
    expect_sent(4 * kMaxChunk);
}

TEST_F(MovedData, IsCountedAsReused) {
    offer(with({kSize / 2}, "x"));
    const auto done = receive();
    EXPECT_EQ(done.bytes_reused, kSize + 1 - done.bytes_sent);
}

TEST_F(MovedData, IsKeptInBlocksWhereEachChunkWasEdited) {
    std::string content = old_;
    std::uint64_t edits = 0;
    for (std::size_t at = kMiB; at < 18 * kMiB; at += 4 * kFileBlockBytes, ++edits) {
        content[at] ^= 1;
    }
    offer(content);
    expect_sent(edits * kFileBlockBytes);
}

TEST_F(MovedData, IsKeptInBlocksAroundInsertions) {
    std::string content;
    std::uint64_t edits = 0;
    for (std::size_t at = 0; at < kSize; at += 50'000, ++edits) {
        content += old_.substr(at, 50'000) + "inserted";
    }
    offer(content);
    expect_sent(edits * 2 * kFileBlockBytes);
}

TEST_F(MovedData, IsNotThereWhenAllIsAnother) {
    offer(test::noise(kSize, 2));
    EXPECT_EQ(receive().bytes_sent, kSize);
}

TEST_F(MovedData, IsReadBackFromTheDiskWithVerify) {
    options_.verify = true;
    offer(with({kSize / 2}, "x"));
    expect_sent(2 * kMaxChunk);
}

TEST_F(MovedData, IsNotSentAfterAnInterruption) {
    offer(with({0, 4 * kMiB, 12 * kMiB, kSize}, "inserted"));
    const auto all = receive(0);
    EXPECT_TRUE(all.result);
    EXPECT_EQ(all.bytes_sent, 0u);
    test::write_file(target_ / "file", test::noise(kSize, 3));
    EXPECT_LE(receive(1).bytes_sent, 2 * kMaxChunk);
    expect_sent(3 * 2 * kMaxChunk);
}

TEST_F(MovedData, IsComparedAgainIfTheFileChangesAfterAnInterruption) {
    const std::string first = with({kMiB}, "one");
    offer(first);
    EXPECT_EQ(receive(0).bytes_sent, 0u);
    offer(first + "two");
    expect_sent(3 * kMaxChunk);
}

/// The list and the copy agree, or the file is sent whole.
TEST_F(MovedData, IsVerifiedByTheSendersHashes) {
    old_ = test::noise(3 * kSize, 1);
    test::write_file(target_ / "file", old_);
    offer(with({0}, "one"));
    test::Share share({source_.string()});
    auto opened = open(share);
    ASSERT_TRUE(opened);
    (*opened)->begin_preparation(0, 1, {});
    const auto next = [&] {
        auto prepared = (*opened)->prepare_some();
        while (prepared && !*prepared && !(*opened)->waits_for_chunks()) {
            prepared = (*opened)->prepare_some();
        }
        return prepared;
    };
    ASSERT_TRUE(next());
    const auto parts = test::chunks_of(share.files, 0);
    for (const Chunks &part : parts) {
        const bool last = &part == &parts.back();
        if (last) {
            // All was divided, because nothing was found at the same place.
            test::write_file(target_ / "file", test::noise(old_.size(), 4));
        }
        (*opened)->give_chunks(part, last);
        const auto prepared = next();
        ASSERT_TRUE(prepared);
        ASSERT_EQ(prepared->has_value(), last);
        EXPECT_TRUE(!last || (*prepared)->have.empty());
    }
    (*opened)->suspend();
    opened->reset();
    EXPECT_EQ(test::snapshot(target_.string()).size(), 1u) << "no part file is left";
}

/// A preparation of one file, and the sender's answers to it.
class EditedData : public MovedData {
protected:
    static constexpr std::uint64_t kEdit = 7 * kMiB;

    /// Edits one byte at each offset.
    void edit(std::initializer_list<std::uint64_t> offsets) {
        for (const std::uint64_t offset : offsets) {
            content_[static_cast<std::size_t>(offset)] ^= 1;
        }
        offer(content_);
        share_.emplace(std::vector{source_.string()});
        folder_at_work_ = open(*share_).value();
        parts_ = test::chunks_of(share_->files, 0);
        folder_at_work_->begin_preparation(0, 1, {});
        EXPECT_EQ(go_on(), std::nullopt);
    }
    /// Prepares until an answer is needed; returns the result at the end.
    std::optional<Prepared> go_on() {
        for (;;) {
            auto prepared = folder_at_work_->prepare_some().value();
            const WantedChunks wanted = folder_at_work_->take_wanted_chunks();
            fetches_.insert(fetches_.end(), wanted.fetches.begin(), wanted.fetches.end());
            held_.insert(held_.end(), wanted.blocks.begin(), wanted.blocks.end());
            if (!holds_blocks_) {
                for (const ListBlocks &list : std::exchange(held_, {})) {
                    folder_at_work_->give_answer(blocks_of(list));
                }
            }
            const bool answered = !holds_blocks_ && !wanted.blocks.empty();
            if (prepared || (folder_at_work_->waits_for_chunks() && !answered)) {
                return prepared;
            }
        }
    }
    FileBlocks blocks_of(const ListBlocks &list) const {
        FileBlocks blocks{.index = 0, .offset = list.range.offset, .hashes = {}};
        if (lists_blocks_) {
            for (std::uint64_t at = list.range.offset; at < list.range.end();
                 at += kFileBlockBytes) {
                const std::string block = content_.substr(at, kFileBlockBytes);
                blocks.hashes.push_back(shortened(blake3_of(as_bytes(block))));
            }
        }
        return blocks;
    }
    void give(const Fetch &fetch, const std::string &bytes) {
        folder_at_work_->give_answer(
            Fetched{.index = 0, .offset = fetch.range.offset, .bytes = bytes});
    }
    std::optional<Prepared> list_all() {
        std::optional<Prepared> prepared;
        for (const Chunks &part : parts_) {
            folder_at_work_->give_chunks(part, &part == &parts_.back());
            prepared = go_on();
        }
        return prepared;
    }
    std::string bytes_of(const Fetch &fetch) const {
        return content_.substr(static_cast<std::size_t>(fetch.range.offset),
                               static_cast<std::size_t>(fetch.range.length));
    }

    std::string content_ = old_;
    std::optional<test::Share> share_;
    std::shared_ptr<ReceiveFolder> folder_at_work_;
    std::vector<Chunks> parts_;
    std::vector<Fetch> fetches_;
    bool lists_blocks_ = true;
    bool holds_blocks_ = false;
    std::vector<ListBlocks> held_;
};

TEST_F(EditedData, IsFetchedWhileTheListArrives) {
    edit({kEdit, kSize - 1});
    auto part = std::ranges::find_if(
        parts_, [](const Chunks &chunks) { return chunks.offset > kEdit + kMaxChunk; });
    ASSERT_TRUE(part != parts_.end());
    for (auto before = parts_.begin(); before != part; ++before) {
        folder_at_work_->give_chunks(*before, false);
        EXPECT_FALSE(go_on());
    }
    ASSERT_EQ(fetches_.size(), 1u);
    EXPECT_EQ(fetches_[0].range, (ByteRange{.offset = kEdit, .length = kFileBlockBytes}));
    for (; part != parts_.end(); ++part) {
        folder_at_work_->give_chunks(*part, &*part == &parts_.back());
        EXPECT_FALSE(go_on()) << "the fetched bytes have not arrived";
    }
    give(fetches_[0], bytes_of(fetches_[0]));
    const auto prepared = go_on();
    ASSERT_TRUE(prepared);
    EXPECT_EQ(prepared->of_basis.at(0), kFileBlockBytes);
    EXPECT_TRUE(prepared->missing.empty()) << "the last byte is behind the offset of HAVE";
    folder_at_work_->suspend();
}

TEST_F(EditedData, IsRequestedWithTheRestIfItCannotBeFetched) {
    for (const bool other : {false, true}) {
        edit({kEdit, kEdit + 2 * kFileBlockBytes});
        EXPECT_FALSE(list_all());
        ASSERT_EQ(fetches_.size(), 2u);
        give(fetches_[0], other ? test::noise(kFileBlockBytes, 5) : std::string());
        give(fetches_[1], bytes_of(fetches_[1]));
        const auto prepared = go_on();
        ASSERT_TRUE(prepared);
        EXPECT_EQ(prepared->of_basis.at(0), kFileBlockBytes);
        ASSERT_EQ(prepared->missing.size(), 1u);
        EXPECT_EQ(prepared->missing[0].offset, kEdit);
        EXPECT_EQ(prepared->missing[0].length, kFileBlockBytes);
        folder_at_work_->suspend();
        fetches_.clear();
    }
}

TEST_F(EditedData, IsRequestedInWholeChunksIfItsBlocksCannotBeListed) {
    lists_blocks_ = false;
    edit({kEdit});
    const auto prepared = list_all();
    ASSERT_TRUE(prepared);
    EXPECT_TRUE(fetches_.empty());
    ASSERT_EQ(prepared->missing.size(), 1u);
    EXPECT_GT(prepared->missing[0].length, kFileBlockBytes);
    folder_at_work_->suspend();
}

TEST_F(EditedData, IsNotWaitedForIfTheBasisCannotBeReadAnymore) {
    holds_blocks_ = true;
    edit({kEdit});
    EXPECT_FALSE(list_all());
    ASSERT_EQ(held_.size(), 1u);
    std::filesystem::resize_file(target_ / "file", kMiB);
    folder_at_work_->give_answer(blocks_of(held_[0]));
    // A file system that clones the basis has it still.
    EXPECT_TRUE(go_on() || !fetches_.empty());
    EXPECT_EQ(folder_at_work_->waits_for_chunks(), !fetches_.empty());
    folder_at_work_->suspend();
}

TEST_F(EditedData, IsFetchedBehindWhatIsNot) {
    content_.replace(2 * kMiB, 3 * kMiB, test::noise(3 * kMiB, 9));
    edit({kEdit});
    EXPECT_FALSE(list_all());
    ASSERT_EQ(fetches_.size(), 1u);
    EXPECT_GT(fetches_[0].range.offset, 5 * kMiB);
    give(fetches_[0], bytes_of(fetches_[0]));
    const auto prepared = go_on();
    ASSERT_TRUE(prepared);
    EXPECT_EQ(prepared->of_basis.at(0), fetches_[0].range.length);
    EXPECT_EQ(prepared->missing.size(), 1u);
    folder_at_work_->suspend();
}

TEST_F(EditedData, IsFetchedOnlyAsMemoryAllows) {
    for (std::uint64_t begin = kMiB; begin < kSize - kMiB; begin += 3 * kMiB / 2) {
        content_.replace(static_cast<std::size_t>(begin), kMiB, test::noise(kMiB, 9));
    }
    edit({});
    EXPECT_FALSE(list_all());
    std::uint64_t bytes = 0;
    for (const Fetch &fetch : fetches_) {
        bytes += fetch.range.length;
    }
    EXPECT_GT(bytes, 5 * kMiB);
    EXPECT_LE(bytes, 8 * kMiB);
    for (const Fetch &fetch : std::exchange(fetches_, {})) {
        give(fetch, bytes_of(fetch));
    }
    const auto prepared = go_on();
    ASSERT_TRUE(prepared);
    EXPECT_TRUE(fetches_.empty());
    EXPECT_FALSE(prepared->missing.empty());
    for (const Piece &piece : prepared->missing) {
        EXPECT_LE(piece.length, kMiB) << "blocks of the older version were kept";
    }
    folder_at_work_->suspend();
}

TEST_F(EditedData, IsReceivedInBlocks) {
    std::mt19937 random(7);
    std::uint64_t edits = 0;
    for (std::uint64_t begin = kMiB; begin < kSize - kMiB; begin += kMiB / 4 + random() % kMiB) {
        content_[static_cast<std::size_t>(begin)] ^= 1;
        ++edits;
    }
    offer(content_);
    expect_sent(edits * kFileBlockBytes);
}

TEST_F(MovedData, IsNotFetched) {
    offer(with({kMiB}, "inserted"));
    test::Share share({source_.string()});
    auto opened = open(share);
    ASSERT_TRUE(opened);
    std::size_t fetches = 0;
    const auto prepared = test::prepare(
        **opened, 0, 1, {},
        [&](std::uint64_t index) { return test::chunks_of(share.files, index); },
        [&](const Fetch &) {
            ++fetches;
            return std::string();
        });
    EXPECT_TRUE(prepared);
    EXPECT_EQ(fetches, 0u);
    (*opened)->suspend();
}

TEST_F(MovedData, IsFoundInFrontOfEqualData) {
    const std::string moved = old_.substr(3 * kMiB, kMiB);
    offer(old_.substr(0, 2 * kMiB) + moved + old_.substr(2 * kMiB, kMiB) + old_.substr(4 * kMiB));
    expect_sent(4 * kMaxChunk);
}

TEST_F(MovedData, IsFoundAfterAnyEdits) {
    std::uint64_t offered = 0;
    std::uint64_t sent = 0;
    for (unsigned seed = 1; seed <= 24; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        const auto below = [&random](std::size_t end) { return random() % end; };
        std::string content = old_.substr(0, 2 * kMiB + below(kMiB));
        test::write_file(target_ / "file", content);
        for (std::size_t edits = 1 + below(12); edits > 0; --edits) {
            const std::size_t at = below(content.size());
            const std::size_t bytes = 1 + below(below(4) == 0 ? kMiB : kMaxChunk);
            switch (below(4)) {
            case 0:
                content.insert(at, test::noise(bytes, seed));
                break;
            case 1:
                content.erase(at, bytes / 4);
                break;
            case 2:
                content.replace(at, bytes, test::noise(bytes, seed + 100));
                break;
            default:
                content.insert(at, content.substr(below(content.size()), bytes));
            }
        }
        offer(content);
        const auto done = receive();
        EXPECT_TRUE(done.finished);
        EXPECT_TRUE(test::read_file(target_ / "file") == content);
        offered += content.size();
        sent += done.bytes_sent;
    }
    EXPECT_LT(sent, offered / 2);
}

TEST_F(MovedData, IsFoundInABasisThatIsShorterOrLonger) {
    offer(old_ + old_.substr(kMiB, kMiB));
    expect_sent(2 * kMaxChunk);
    offer(old_.substr(5, kSize / 2));
    expect_sent(2 * kMaxChunk);
}

TEST_F(MovedData, IsNotLookedForIfTheSenderCannotListTheFile) {
    offer(with({kMiB}, "one"));
    test::Share share({source_.string()});
    auto opened = open(share);
    ASSERT_TRUE(opened);
    const auto prepared = test::prepare(**opened, 0, 1, {}, [](std::uint64_t index) {
        return std::vector{Chunks{.index = index}};
    });
    ASSERT_TRUE(prepared);
    EXPECT_TRUE(prepared->have.empty());
    (*opened)->suspend();
}

TEST_F(MovedData, IsWaitedFor) {
    offer(with({kMiB}, "one"));
    test::Share share({source_.string()});
    auto opened = open(share);
    ASSERT_TRUE(opened);
    (*opened)->begin_preparation(0, 1, {});
    while (!(*opened)->waits_for_chunks()) {
        ASSERT_TRUE((*opened)->prepare_some());
    }
    EXPECT_EQ((*opened)->take_wanted_chunks().lists, std::vector<std::uint64_t>{0});
    const auto still = (*opened)->prepare_some();
    EXPECT_TRUE(still && !*still && (*opened)->waits_for_chunks());
    (*opened)->suspend();
    opened->reset();
    EXPECT_EQ(test::snapshot(target_.string()).size(), 1u) << "no part file is left";
}

TEST(SourceChunks, AreNotListedOfAFileThatChanged) {
    const TemporaryFolder folder;
    test::write_file(folder / "file", test::noise(kMiB, 1));
    test::Share share({(folder / "file").string()});
    EXPECT_FALSE(test::chunks_of(share.files, 0).back().runs.empty());
    test::write_file(folder / "file", test::noise(2 * kMiB, 1));
    EXPECT_TRUE(test::chunks_of(share.files, 0).back().runs.empty());
}

TEST(ChunkRequests, AreLimitedInTheirSum) {
    ChunkRequests requests;
    EXPECT_TRUE(requests.ask(1, 2 * ChunkRequests::kMaxChunks)) << "one alone is always possible";
    EXPECT_FALSE(requests.ask(2, 1));
    requests.drop(1);
    EXPECT_TRUE(requests.ask(2, ChunkRequests::kMaxChunks - 1));
    EXPECT_TRUE(requests.ask(3, 1));
    EXPECT_FALSE(requests.ask(4, 1));
    EXPECT_EQ(requests.take_wanted().lists, (std::vector<std::uint64_t>{1, 2, 3}));
}

TEST(ChunkRequests, CollectTheirLists) {
    ChunkRequests requests;
    ASSERT_TRUE(requests.ask(2, 3));
    requests.give({.index = 1, .runs = {{.length = 1}}}, false);
    requests.give({.index = 2, .validator = {7}, .runs = {{.length = 1}}}, false);
    EXPECT_FALSE(requests.list(2).ended);
    requests.give({.index = 2, .validator = {8}, .runs = {{.length = 2}, {.length = 3}}}, true);
    EXPECT_EQ(requests.list(2).validator, WireId{8});
    EXPECT_EQ(requests.list(2).runs.size(), 3u);
    EXPECT_TRUE(requests.list(2).ended && !requests.list(2).failed);
    requests.give({.index = 2}, true);
    EXPECT_TRUE(requests.list(2).failed);
}

} // namespace
} // namespace thru
