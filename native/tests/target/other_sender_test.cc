// Partial files from another sender are trusted by content alone: it may have prepared them.
#include <gtest/gtest.h>

#include "fs/disk.h"
#include "support/prepare_folder.h"
#include "target/fake_sender.h"

namespace thru::test {
namespace {

constexpr std::size_t kSmall = 5;
constexpr std::uint64_t kLargeBytes = 1'000'000;
constexpr std::uint64_t kPiece = 100'000;
constexpr OriginId kOther = {1};

class OtherSender : public testing::Test {
protected:
    OtherSender() {
        for (std::size_t file = 0; file < kSmall; ++file) {
            const std::string name = "small " + std::to_string(file);
            honest_.file(name, bytes_of(2'000, file));
            hostile_.file(name, bytes_of(2'000, file + 100));
        }
        std::string content = bytes_of(kLargeBytes, 9);
        large_ = honest_.file("large", content);
        // The last segment sent is right.
        content.front() = static_cast<char>(content.front() ^ 1);
        hostile_.file("large", content);
    }

    std::string target() const { return (folder_ / "in").string(); }

    test::SendOptions options(const OriginId &origin) const {
        test::SendOptions options;
        options.origin = origin;
        options.piece = kPiece;
        options.receive.conflict = ConflictPolicy::Replace;
        return options;
    }

    /// Publishes the small files, and receives half of the large one.
    Attempt broken_off(const Offered &offered, const OriginId &origin) {
        test::SendOptions chosen = options(origin);
        chosen.max_segments = 6;
        Attempt attempt(offered, target(), chosen);
        EXPECT_FALSE(attempt.run());
        EXPECT_FALSE(attempt.error) << attempt.error->detail;
        EXPECT_EQ(attempt.published.size(), kSmall);
        attempt.folder->suspend();
        return attempt;
    }

    Attempt finished(const Offered &offered, const OriginId &origin) {
        Attempt attempt(offered, target(), options(origin));
        EXPECT_TRUE(attempt.run()) << attempt.error->detail;
        attempt.folder.reset();
        return attempt;
    }

    TemporaryFolder folder_;
    Offered honest_;
    Offered hostile_;
    std::uint64_t large_ = 0;
};

TEST_F(OtherSender, LeavesNothingThatIsTakenForTheOfferedFiles) {
    broken_off(hostile_, kOther).folder.reset();
    const Attempt attempt = finished(honest_, test::kOrigin);
    EXPECT_TRUE(attempt.restarted.contains(large_));
    EXPECT_TRUE(test::snapshot(target()) == honest_.expected());
}

TEST_F(OtherSender, IsNotBelievedWhenItShowsNoKey) {
    broken_off(hostile_, {}).folder.reset();
    static_cast<void>(finished(honest_, {}));
    EXPECT_TRUE(test::snapshot(target()) == honest_.expected());
}

TEST_F(OtherSender, PlantsNothingByOfferingMuchMore) {
    for (std::size_t file = 0; file < 100; ++file) {
        hostile_.file("more " + std::to_string(file), "more");
    }
    test::SendOptions chosen = options(kOther);
    chosen.batch_files = kSmall;
    chosen.max_segments = 8;
    Attempt hostile(hostile_, target(), chosen);
    EXPECT_FALSE(hostile.run());
    hostile.folder->suspend();
    hostile.folder.reset();
    static_cast<void>(finished(honest_, test::kOrigin));
    const auto existing = test::snapshot(target());
    for (const auto &[path, content] : honest_.expected()) {
        EXPECT_TRUE(existing.at(path) == content) << path;
    }
}

TEST_F(OtherSender, PlantsNothingInAFolderThatWasMovedToAnotherDisk) {
    for (std::size_t file = 0; file < 100; ++file) {
        hostile_.file("more " + std::to_string(file), "more");
    }
    test::SendOptions chosen = options(kOther);
    chosen.batch_files = kSmall;
    chosen.share = {9};
    chosen.max_segments = 8;
    Attempt hostile(hostile_, target(), chosen);
    EXPECT_FALSE(hostile.run());
    hostile.folder->suspend();
    hostile.folder.reset();
    const std::filesystem::path before = folder_ / "before";
    std::filesystem::rename(target(), before);
    std::filesystem::copy(before, target());
    for (const auto &entry : std::filesystem::directory_iterator(before)) {
        std::filesystem::last_write_time(std::filesystem::path(target()) / entry.path().filename(),
                                         entry.last_write_time());
    }
    static_cast<void>(finished(honest_, test::kOrigin));
    const auto existing = test::snapshot(target());
    for (const auto &[path, content] : honest_.expected()) {
        EXPECT_TRUE(existing.at(path) == content) << path;
    }
}

TEST_F(OtherSender, PlantsNothingBesideATextOfTheSameSegment) {
    Offered honest;
    honest.file("contract.pdf", bytes_of(3'000, 1));
    Offered hostile;
    hostile.file("contract.pdf", bytes_of(3'000, 2));
    hostile.add({.text = true, .path = "note"}, "hello");
    hostile.file("never sent", "more");
    test::SendOptions chosen = options(kOther);
    chosen.batch_files = 2;
    chosen.max_segments = 1;
    Attempt attempt(hostile, target(), chosen);
    EXPECT_FALSE(attempt.run());
    attempt.folder->suspend();
    attempt.folder.reset();
    ASSERT_TRUE(std::filesystem::exists(std::filesystem::path(target()) / "contract.pdf"));
    static_cast<void>(finished(honest, test::kOrigin));
    EXPECT_TRUE(test::snapshot(target()).at("contract.pdf") == honest.contents.front());
}

TEST_F(OtherSender, PlantsNothingWhileItIsStillSending) {
    test::SendOptions chosen = options(kOther);
    chosen.max_segments = 6;
    Attempt hostile(hostile_, target(), chosen);
    EXPECT_FALSE(hostile.run());
    static_cast<void>(finished(honest_, test::kOrigin));
    hostile.folder.reset();
    const auto existing = test::snapshot(target());
    for (const auto &[path, content] : honest_.expected()) {
        EXPECT_TRUE(existing.at(path) == content) << path;
    }
}

TEST_F(OtherSender, DeletesNothingByClaimingToBeTheShare) {
    broken_off(honest_, test::kOrigin).folder.reset();
    Offered unrelated;
    unrelated.file("unrelated", "something");
    for (const OriginId &origin : {kOther, OriginId{}}) {
        static_cast<void>(finished(unrelated, origin));
    }
    const Attempt attempt = finished(honest_, test::kOrigin);
    EXPECT_EQ(attempt.resumed_at.at(large_), 5 * kPiece);
}

TEST_F(OtherSender, SavesWhatTurnsOutToBeTheSame) {
    const Attempt before = broken_off(honest_, kOther);
    const Attempt after = finished(honest_, test::kOrigin);
    EXPECT_EQ(after.resumed_at.at(large_), 5 * kPiece);
    EXPECT_EQ(before.bytes_sent + after.bytes_sent, kSmall * 2'000 + kLargeBytes);
    EXPECT_TRUE(test::snapshot(target()) == honest_.expected());
}

TEST_F(OtherSender, IsStillAnotherOneAfterAnAttemptThatAskedNothing) {
    broken_off(hostile_, kOther).folder.reset();
    {
        // Killed before the sender could answer.
        Attempt killed(honest_, target(), options(test::kOrigin));
        killed.folder = ReceiveFolder::open(target(), honest_.manifest, {},
                                            {.share = test::kShare, .origin = test::kOrigin})
                            .value_or(nullptr);
        ASSERT_TRUE(killed.folder);
        ASSERT_TRUE(test::prepare(*killed.folder, 0, honest_.contents.size(), {}));
    }
    static_cast<void>(finished(honest_, test::kOrigin));
    EXPECT_TRUE(test::snapshot(target()) == honest_.expected());
}

TEST_F(OtherSender, IsNotForgottenWhileItsFilesAreReplaced) {
    {
        Attempt hostile(hostile_, target(), options(kOther));
        hostile.folder = ReceiveFolder::open(target(), hostile_.manifest, {},
                                             {.share = test::kShare, .origin = kOther})
                             .value_or(nullptr);
        ASSERT_TRUE(hostile.prepare() && hostile.send_all());
        // All files are published, but the attempt is never finished.
    }
    for (const std::size_t segments : {1U, 3U, 8U}) {
        test::SendOptions chosen = options(test::kOrigin);
        chosen.batch_files = 2;
        chosen.segments_a_round = 100;
        chosen.max_segments = segments;
        Attempt killed(honest_, target(), chosen);
        EXPECT_FALSE(killed.run());
    }
    static_cast<void>(finished(honest_, test::kOrigin));
    EXPECT_TRUE(test::snapshot(target()) == honest_.expected());
}

TEST_F(OtherSender, IsReportedFromTheSameOneWhoseFilesAreOnlyLookedAt) {
    static_cast<void>(broken_off(honest_, test::kOrigin));
    Attempt attempt(honest_, target(), options(test::kOrigin));
    ASSERT_TRUE(attempt.run());
    ASSERT_EQ(attempt.prepared.have.size(), 1u);
    EXPECT_EQ(attempt.prepared.have.front().hash_begin, 4 * kPiece);
}

} // namespace
} // namespace thru::test
