// Receives whose items have names that the receiver chose.
#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "target/deletion/delete_partial.h"
#include "target/fake_sender.h"
#include "target/preflights.h"

namespace thru::test {
namespace {

using Tree = std::map<std::string, std::string>;

constexpr std::size_t kLarge = 150'000;

class RenamesTest : public testing::Test {
protected:
    RenamesTest() {
        offered_.folder("docs");
        offered_.file("docs/large", bytes_of(kLarge, 1));
        offered_.file("docs/small", "small");
        offered_.file("notes.txt", bytes_of(kLarge, 2));
        options_.receive.renames = renames({{"docs", "papers"}, {"notes.txt", "mine.txt"}});
    }

    static std::shared_ptr<const Renames> renames(Renames chosen) {
        return std::make_shared<const Renames>(std::move(chosen));
    }

    static Tree tree(const std::string &folder, const std::string &file) {
        return {{folder, "(folder)"},
                {folder + "/large", bytes_of(kLarge, 1)},
                {folder + "/small", "small"},
                {file, bytes_of(kLarge, 2)}};
    }

    /// The data that is sent until it ends, or is killed after some segments.
    std::uint64_t receive(const SendOptions &options, bool to_end = true) {
        Attempt attempt(offered_, target(), options);
        EXPECT_EQ(attempt.run(), to_end);
        EXPECT_FALSE(attempt.error) << attempt.error->detail;
        attempt.folder.reset();
        return attempt.bytes_sent;
    }

    /// Receives two files of the same size and time, by which a journal recognizes files, into an
    /// empty folder. Is killed, and receives again. Returns the bytes that were sent.
    std::uint64_t receive_again(const SendOptions &first, const SendOptions &second) const {
        Offered offered;
        offered.file("a", bytes_of(kLarge, 1));
        offered.file("b", bytes_of(kLarge, 2));
        std::filesystem::remove_all(target());
        Attempt before(offered, target(), first);
        EXPECT_FALSE(before.run());
        before.folder.reset();
        Attempt after(offered, target(), second);
        EXPECT_TRUE(after.run());
        after.folder.reset();
        return before.bytes_sent + after.bytes_sent;
    }

    SendOptions killed() const {
        SendOptions options = options_;
        options.max_segments = 6;
        options.segments_a_round = 1;
        return options;
    }

    std::string target() const { return (folder_ / "in").string(); }

    TemporaryFolder folder_;
    Offered offered_;
    SendOptions options_;
};

TEST_F(RenamesTest, AreTheNamesOfTheReceivedItems) {
    receive(options_);
    EXPECT_EQ(snapshot(target()), tree("papers", "mine.txt"));
    EXPECT_EQ(receive(options_), 0U) << "everything is present";
}

TEST_F(RenamesTest, HoldAfterAKill) {
    const std::uint64_t before = receive(killed(), false);
    const std::uint64_t after = receive(options_);
    EXPECT_EQ(before + after, 2 * kLarge + 5);
    EXPECT_EQ(snapshot(target()), tree("papers", "mine.txt")) << "no part file is left";
}

TEST_F(RenamesTest, CountInAPreflightWhatIsThere) {
    // All files are still unfinished.
    SendOptions early = killed();
    early.max_segments = 2;
    const std::uint64_t before = receive(early, false);
    const auto again = preflight_of(target(), *offered_.manifest, options_.receive);
    EXPECT_EQ(again.resumed_bytes, before);
    EXPECT_EQ(again.mapped_names, 2U);
    EXPECT_EQ(preflight_of(target(), *offered_.manifest).resumed_bytes, 0U);
    receive(options_);
    EXPECT_EQ(preflight_of(target(), *offered_.manifest, options_.receive).conflicts.identical, 3U);
    EXPECT_EQ(preflight_of(target(), *offered_.manifest).conflicts.identical, 0U);
}

/// Another choice counts like other items of the sender.
TEST_F(RenamesTest, OfAnotherAttemptBeginAnewAndLeaveItForLater) {
    const std::uint64_t first = receive(killed(), false);
    SendOptions plain = options_;
    plain.receive.renames = nullptr;
    EXPECT_EQ(receive(plain), 2 * kLarge + 5);
    EXPECT_EQ(first + receive(options_), 2 * kLarge + 5);
    Tree expected = tree("docs", "notes.txt");
    expected.merge(tree("papers", "mine.txt"));
    EXPECT_EQ(snapshot(target()), expected);
}

TEST_F(RenamesTest, ReplaceNothingUnasked) {
    write_file(folder_ / "in" / "mine.txt", "own");
    write_file(folder_ / "in" / "papers" / "small", "own, too");
    receive(options_);
    Tree expected = tree("papers", "mine (2).txt");
    expected["mine.txt"] = "own";
    expected["papers/small (2)"] = "small";
    expected["papers/small"] = "own, too";
    EXPECT_EQ(snapshot(target()), expected);
}

TEST_F(RenamesTest, AreTheNamesOfLaterRounds) {
    options_.receive.conflict = ConflictPolicy::Update;
    options_.receive.follow = options_.receive.deletions = true;
    offered_.file("docs/old", "old");
    const auto round = [this](const Offered &offered) {
        Attempt attempt(offered, target(), options_);
        EXPECT_TRUE(attempt.run()) << attempt.error->detail;
        attempt.folder->end_following();
    };
    {
        Attempt attempt(offered_, target(), options_);
        EXPECT_TRUE(attempt.run()) << attempt.error->detail;
    }
    write_file(folder_ / "in" / "docs" / "old", "own");
    Offered later;
    later.folder("docs");
    later.file("docs/large", bytes_of(kLarge, 3), 5'000);
    later.file("docs/small", "small");
    later.file("notes.txt", bytes_of(kLarge, 2));
    round(later);
    Tree found = snapshot(target());
    EXPECT_FALSE(found.contains("papers/old")) << "the sender deleted it";
    EXPECT_EQ(found["papers/large"], bytes_of(kLarge, 3));
    EXPECT_EQ(found["mine.txt"], bytes_of(kLarge, 2));
    EXPECT_EQ(found["docs/old"], "own") << "not of this receive";
    EXPECT_FALSE(found.contains("notes.txt"));
}

/// The sender may have added it since the choice.
TEST_F(RenamesTest, MoveAnItemWithTheChosenNameAside) {
    options_.receive.renames = renames({{"docs", "notes.txt"}});
    const std::uint64_t before = receive(killed(), false);
    EXPECT_EQ(before + receive(options_), 2 * kLarge + 5) << "both items continue";
    EXPECT_EQ(snapshot(target()), tree("notes.txt", "notes (2).txt"));
    EXPECT_EQ(receive(options_), 0U);
}

TEST_F(RenamesTest, LeaveNoPartialFilesOnceTheseAreDeleted) {
    Offered offered;
    offered.file("a", bytes_of(kLarge, 1));
    offered.file("b/large", bytes_of(kLarge, 2));
    options_.receive.renames = renames({{"a", "b"}});
    SendOptions interrupted = killed();
    Attempt attempt(offered, target(), interrupted);
    EXPECT_FALSE(attempt.run());
    attempt.folder.reset();
    ASSERT_TRUE(attempt.sent_files.contains(1));
    const auto deleted = delete_partial(target(), {});
    ASSERT_TRUE(deleted);
    EXPECT_GT(deleted->files, 0U);
    EXPECT_EQ(snapshot(target()), (Tree{{"b", bytes_of(kLarge, 1)}, {"b (2)", "(folder)"}}));
}

TEST_F(RenamesTest, OfAnEarlierAttemptSayNothingAboutOtherNames) {
    for (const auto &chosen : {Renames{{"a", "b"}}, Renames{{"a", "b"}, {"b", "a"}}}) {
        for (const bool is_first : {true, false}) {
            SendOptions first = killed();
            first.max_segments = 4;
            SendOptions second = options_;
            first.receive.renames = is_first ? renames(chosen) : nullptr;
            second.receive.renames = is_first ? nullptr : renames(chosen);
            receive_again(first, second);
            std::set<std::string> found;
            for (const auto &[path, content] : snapshot(target())) {
                found.insert(content);
            }
            EXPECT_TRUE(found.contains(bytes_of(kLarge, 1)) && found.contains(bytes_of(kLarge, 2)));
        }
    }
}

TEST_F(RenamesTest, NeverGiveAnItemTheDataOfAnother) {
    for (const auto &chosen : {Renames{{"a", "b"}}, Renames{{"a", "b"}, {"b", "a"}}}) {
        options_.receive.renames = renames(chosen);
        SendOptions first = killed();
        first.max_segments = 2;
        EXPECT_EQ(receive_again(first, options_), 2 * kLarge);
        EXPECT_EQ(snapshot(target()),
                  (Tree{{"b", bytes_of(kLarge, 1)},
                        {chosen.size() == 1 ? "b (2)" : "a", bytes_of(kLarge, 2)}}));
    }
}

TEST_F(RenamesTest, AreRefusedBeforeAnythingIsMade) {
    for (const Renames &bad : {Renames{{"docs", "../docs"}}, Renames{{"docs", "a/b"}},
                               Renames{{"docs", "x"}, {"notes.txt", "x"}}}) {
        options_.receive.renames = renames(bad);
        Attempt attempt(offered_, target(), options_);
        EXPECT_FALSE(attempt.run());
        ASSERT_TRUE(attempt.error);
        EXPECT_EQ(attempt.error->code, ErrorCode::NameNotAllowed);
        const auto preflight = preflight_target(target(), *offered_.manifest,
                                                offered_.contents.size(), options_.receive, {});
        ASSERT_FALSE(preflight);
        EXPECT_EQ(preflight.error().code, ErrorCode::NameNotAllowed);
    }
    EXPECT_FALSE(std::filesystem::exists(target()));
}

} // namespace
} // namespace thru::test
