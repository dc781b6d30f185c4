// Journals of other attempts, after a transfer into the same folder is complete.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "journal/journal_record.h"
#include "target/deletion/delete_partial.h"
#include "target/fake_sender.h"

namespace thru::test {
namespace {

constexpr WireId kOtherShare = {7};

Offered two_files() {
    Offered offered;
    offered.folder("below");
    offered.file("below/large", bytes_of(150'000, 1));
    offered.file("small", bytes_of(700, 2));
    return offered;
}

std::vector<std::filesystem::path> journals(const TemporaryFolder &target) {
    std::vector<std::filesystem::path> found;
    for (const auto &entry : std::filesystem::directory_iterator(target.path())) {
        if (entry.path().extension() == ".journal") {
            found.push_back(entry.path());
        }
    }
    return found;
}

/// Destroys it without suspending, like a killed process.
void kill(Attempt &attempt) { attempt.folder.reset(); }

TEST(SupersededJournals, GoWhenTheirAttemptWasKilledBeforeItsEndAndTheShareIsAnother) {
    const TemporaryFolder target;
    const Offered offered = two_files();
    Attempt killed(offered, target.path().string(), {.max_segments = 100});
    killed.folder = ReceiveFolder::open(
                        target.path().string(), offered.manifest, {},
                        {.share = test::kShare, .receive = test::kReceive, .origin = test::kOrigin})
                        .value();
    ASSERT_TRUE(killed.prepare() && killed.send_all());
    kill(killed);
    ASSERT_EQ(journals(target).size(), 1u);

    Attempt again(offered, target.path().string(), {.share = kOtherShare});
    ASSERT_TRUE(again.run());
    EXPECT_EQ(again.bytes_sent, 0u);
    EXPECT_TRUE(snapshot(target.path()) == offered.expected());
}

TEST(SupersededJournals, GoWhenTheyWereLockedWhileTheNextAttemptBegan) {
    for (const WireId &share : {test::kShare, kOtherShare}) {
        const TemporaryFolder target;
        const Offered offered = two_files();
        Attempt slow(offered, target.path().string(), {.max_segments = 2});
        EXPECT_FALSE(slow.run());
        Attempt next(offered, target.path().string(), {.share = share, .max_segments = 3});
        EXPECT_FALSE(next.run());
        EXPECT_EQ(journals(target).size(), 2u);
        slow.folder->suspend();
        next.folder->suspend();
        Attempt last(offered, target.path().string(), {.share = share});
        ASSERT_TRUE(last.run());
        EXPECT_TRUE(snapshot(target.path()) == offered.expected());
    }
}

TEST(SupersededJournals, GoWhenTheyNeverToldOfAnything) {
    const TemporaryFolder target;
    const Offered offered = two_files();
    Attempt killed(offered, target.path().string(), {.max_segments = 2});
    EXPECT_FALSE(killed.run());
    kill(killed);
    ASSERT_EQ(journals(target).size(), 1u);
    std::filesystem::resize_file(journals(target).front(), kJournalHeaderBytes);

    Attempt again(offered, target.path().string(), {.share = kOtherShare});
    ASSERT_TRUE(again.run());
    EXPECT_TRUE(snapshot(target.path()) == offered.expected());
}

TEST(SupersededJournals, StayWhileSomethingOfTheirsIsMissing) {
    const TemporaryFolder target;
    Offered offered;
    offered.file("a", bytes_of(700, 2));
    offered.file("large", bytes_of(150'000, 1));
    Attempt before(offered, target.path().string(), {.segments_a_round = 1, .max_segments = 3});
    EXPECT_FALSE(before.run());
    before.folder->suspend();

    Offered other;
    other.file("a", bytes_of(700, 2));
    other.file("unrelated", bytes_of(9, 3));
    Attempt between(other, target.path().string(), {.share = kOtherShare});
    ASSERT_TRUE(between.run());
    EXPECT_EQ(journals(target).size(), 1u);

    Attempt after(offered, target.path().string());
    ASSERT_TRUE(after.run());
    EXPECT_EQ(after.resumed_at.at(1), 80'000u);
    EXPECT_TRUE(journals(target).empty());
}

TEST(SupersededJournals, AreContinuedThoughTheyHaveManyVersionsOfAFile) {
    const TemporaryFolder target;
    const auto offered = [](std::int64_t version, std::string last) {
        Offered files;
        files.file("changing", bytes_of(150'000, 1), version);
        files.file("fixed", bytes_of(150'000, 2));
        files.file(std::move(last), bytes_of(150'000, 3));
        return files;
    };
    for (std::int64_t version = 1; version <= 3; ++version) {
        const Offered files = offered(version, "old name");
        Attempt attempt(files, target.path().string(), {.max_segments = 1});
        EXPECT_FALSE(attempt.run());
        attempt.folder->suspend();
    }
    const Offered files = offered(4, "new name");
    Attempt last(files, target.path().string(), {.share = kOtherShare});
    ASSERT_TRUE(last.run());
    EXPECT_TRUE(snapshot(target.path()) == files.expected());
}

TEST(SupersededJournals, StayWhileTheirAttemptRuns) {
    const TemporaryFolder target;
    const Offered offered = two_files();
    Attempt slow(offered, target.path().string(), {.max_segments = 2});
    EXPECT_FALSE(slow.run());
    Attempt next(offered, target.path().string(), {.share = kOtherShare});
    ASSERT_TRUE(next.run());
    EXPECT_EQ(journals(target).size(), 1u);
}

TEST(DeletePartial, FindsThePartsOfAllVersionsOfAFileInAFolder) {
    const TemporaryFolder target;
    for (const std::uint64_t seed : {1, 2}) {
        Offered offered;
        offered.folder("below");
        offered.file("below/large", bytes_of(900'000 + seed, seed));
        Attempt attempt(offered, target.path().string(), {.piece = 100'000, .max_segments = 3});
        EXPECT_FALSE(attempt.run());
        attempt.folder->suspend();
        attempt.folder.reset();
    }
    const auto deleted = delete_partial(target.path().string(), {});
    ASSERT_TRUE(deleted);
    EXPECT_GT(deleted->files, 0u);
    for (const auto &[name, content] : snapshot(target.path())) {
        EXPECT_FALSE(name.contains(".part") || name.contains(".journal")) << name;
    }
}

} // namespace
} // namespace thru::test
