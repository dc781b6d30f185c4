// Receiving a file of which the folder has an older version whose data has moved.
#include <random>

#include "fs/disk.h"
#include "target/older/chunk_copy.h"
#include "target/older_version.h"

namespace thru {
namespace {

using test::kMiB;
using test::TemporaryFolder;

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

TEST_F(MovedData, IsKeptInBlocksWhereMostChunksWereEdited) {
    std::string content = with({kMiB / 2}, "x");
    std::uint64_t edits = 0;
    // Hardly any chunk fits between two of them, but a block does.
    for (std::size_t at = kMiB; at < 18 * kMiB; at += 2 * kFileBlockBytes, ++edits) {
        content[at] ^= 1;
        content[at + kFileBlockBytes - 1] ^= 1;
    }
    offer(content);
    expect_sent(edits * kFileBlockBytes + 2 * kMaxChunk);
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
