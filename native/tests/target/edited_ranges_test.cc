// Receiving a file of which the folder has an older version that was edited in its place.
#include <random>

#include "target/older_version.h"

namespace thru {
namespace {

using test::kMiB;

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

TEST_F(EditedData, IsRequestedWholeIfNoBlockOfDataFoundNowhereCanBeListed) {
    lists_blocks_ = false;
    content_.replace(kEdit, 3 * kMiB, test::noise(3 * kMiB, 9));
    edit({});
    const auto prepared = list_all();
    ASSERT_TRUE(prepared);
    ASSERT_EQ(prepared->missing.size(), 1u);
    EXPECT_GE(prepared->missing[0].length, 3 * kMiB);
    folder_at_work_->suspend();
}

TEST_F(EditedData, IsListedOnlyWhileBlocksAreEqual) {
    content_ = old_.substr(0, kMiB) + test::noise(kSize, 9);
    holds_blocks_ = true;
    edit({});
    std::uint64_t listed = 0;
    auto prepared = list_all();
    while (!prepared) {
        ASSERT_FALSE(held_.empty());
        for (const ListBlocks &list : std::exchange(held_, {})) {
            listed += list.range.length;
            folder_at_work_->give_answer(blocks_of(list));
        }
        prepared = go_on();
    }
    EXPECT_GT(listed, 8 * kMiB);
    EXPECT_LE(listed, 17 * kMiB);
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

} // namespace
} // namespace thru
