// Rounds that remove entries, on a disk that dies at every operation.
#include <gtest/gtest.h>

#include "crash/receive_scenario.h"
#include "journal/journal.h"

namespace thru::test {
namespace {

Offered first_round() {
    Offered offered;
    offered.folder("site");
    offered.file("site/a", bytes_of(500, 1));
    offered.folder("site/b");
    offered.file("site/b/x", bytes_of(90'000, 2));
    offered.folder("site/b/y");
    offered.file("site/b/y/z", bytes_of(700, 3));
    offered.file("site/old name", bytes_of(800, 4));
    offered.link("site/link", "a");
    return offered;
}

/// A file and a folder have swapped names; other entries are renamed, changed or gone.
Offered second_round() {
    Offered offered;
    offered.folder("site");
    offered.folder("site/a");
    offered.file("site/a/part", bytes_of(90'000, 5), 5'000);
    offered.file("site/b", bytes_of(600, 6), 6'000);
    offered.file("site/new name", bytes_of(800, 4));
    return offered;
}

class DeletionsCrashTest : public testing::Test {
protected:
    DeletionsCrashTest() {
        options_.receive = {.conflict = ConflictPolicy::Update, .follow = true, .deletions = true};
    }

    static void configure(SimDisk &disk) {
        disk.set_counts_insertions(true);
        disk.put_folder("/home");
        disk.put_folder(kTarget);
    }

    void finish(const Offered &offered, SimDisk &disk, const std::string &when) const {
        {
            Attempt attempt(offered, kTarget, options_);
            ASSERT_TRUE(attempt.run()) << when << ": " << attempt.error->detail;
            EXPECT_TRUE(attempt.failures.empty()) << when;
            EXPECT_EQ(attempt.renamed, 0U) << when;
        }
        Snapshot found = disk.snapshot(kTarget);
        const auto journals = std::erase_if(
            found, [](const auto &entry) { return entry.first.starts_with(".~thru-"); });
        EXPECT_EQ(journals, 1U) << when;
        Snapshot removed;
        std::erase_if(found, [&](const auto &entry) {
            const bool is_removed = entry.first.starts_with(kRemovedFolder);
            if (is_removed) {
                removed.insert(entry);
            }
            return is_removed;
        });
        ASSERT_EQ(difference(found, offered.expected()), "") << when;
        removed_ = std::move(removed);
    }

    /// True if some removed file has this content.
    bool was_removed(const std::string &content) const {
        return std::ranges::any_of(removed_,
                                   [&](const auto &entry) { return entry.second == content; });
    }

    /// The journal's number of entries.
    static std::uint64_t logged() {
        const auto folder = fs::open_folder(kTarget);
        const auto names = fs::list_names(*folder, ".~thru-", 2);
        return read_journal(*fs::open_beneath_for_reading(*folder, names->at(0)))->content.slots();
    }

    test::SendOptions options_;
    mutable Snapshot removed_;
};

TEST_F(DeletionsCrashTest, EndTheSameFromAnyOperation) {
    const Offered first = first_round();
    const Offered second = second_round();
    std::uint64_t died = 0;
    for (;; ++died) {
        SimDisk disk;
        configure(disk);
        finish(first, disk, "first round");
        disk.crash_after(disk.operations() + died);
        bool whole = false;
        {
            test::SendOptions until_death = options_;
            until_death.alive = [&disk] { return !disk.crashed(); };
            Attempt before(second, kTarget, until_death);
            whole = before.run() && !disk.crashed();
        }
        disk.kill();
        const std::string when = "died at " + std::to_string(died);
        finish(second, disk, when);
        for (const char *path : {"site/a", "site/b/x", "site/b/y/z", "site/old name"}) {
            ASSERT_TRUE(was_removed(first.expected().at(path))) << when << ": " << path;
        }
        // The names swap again.
        finish(first, disk, when + ", and back");
        if (whole || HasFailure()) {
            break;
        }
    }
    EXPECT_GT(died, 50U) << "operations of a round";
}

TEST_F(DeletionsCrashTest, GoOnWithoutAJournalThatCannotBeOpenedAgain) {
    Offered rest;
    rest.folder("site");
    rest.file("site/a", bytes_of(500, 1));
    SimDisk disk;
    configure(disk);
    finish(first_round(), disk, "first round");
    disk.fail(SimCall::RenameOver, fs::ErrorKind::Refused, 1, 2);
    // The fourth lock is that of the journal that could not be replaced.
    disk.fail(SimCall::Lock, fs::ErrorKind::Refused, 3);
    finish(rest, disk, "second round");
}

TEST_F(DeletionsCrashTest, AreForgottenWhereAnOpenJournalCannotBeReplaced) {
    Offered rest;
    rest.folder("site");
    rest.file("site/a", bytes_of(500, 1));
    for (const std::uint64_t refusals : {1, 2}) {
        SimDisk disk;
        configure(disk);
        finish(first_round(), disk, "first round");
        // The first one continues the journal.
        disk.fail(SimCall::RenameOver, fs::ErrorKind::Refused, 1, refusals);
        finish(rest, disk, "second round");
        EXPECT_EQ(logged() == rest.contents.size(), refusals == 1) << logged();
        finish(first_round(), disk, "and back");
        EXPECT_EQ(logged(), first_round().contents.size());
    }
}

} // namespace
} // namespace thru::test
