// Rounds of a receive that removes what the sender no longer has, with kills in between.
#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "target/scenario.h"

namespace thru::test {
namespace {

using Tree = test::Snapshot;
using Why = KeptEntry::Why;

test::SendOptions following(std::size_t max_segments = ~std::size_t{0}) {
    return {.receive = {.conflict = ConflictPolicy::Update, .follow = true, .deletions = true},
            .batch_files = 2,
            .segments_a_round = 1,
            .max_segments = max_segments};
}

class DeletionsTest : public testing::Test {
protected:
    /// One whole round. Returns what it reports.
    DeletionReport round(const Offered &offered, bool whole = true) {
        Attempt attempt(offered, target(), following());
        attempt.folder = open(offered);
        EXPECT_TRUE(attempt.prepare() && attempt.send_all());
        const auto finished = attempt.folder->finish(whole);
        EXPECT_TRUE(finished);
        return finished ? finished->deletions : DeletionReport{};
    }
    std::shared_ptr<ReceiveFolder> open(const Offered &offered) const {
        return ReceiveFolder::open(
                   target(), offered.manifest, following().receive,
                   {.share = test::kShare, .receive = test::kReceive, .origin = test::kOrigin})
            .value();
    }
    std::string target() const { return folder_.path().string(); }

    /// Contents of the folder without the journal, and those that were removed.
    Tree received() const { return part(false); }
    Tree removed() const { return part(true); }

    TemporaryFolder folder_;

private:
    Tree part(bool of_removed) const {
        Tree found;
        for (const auto &[path, content] : test::snapshot(folder_.path())) {
            const bool is_removed = path.starts_with(kRemovedFolder);
            const auto day = std::string(kRemovedFolder).size() + 1;
            const auto begin = is_removed ? path.find('/', day) : 0;
            if (is_removed == of_removed && begin != std::string::npos &&
                !path.ends_with(".journal") && !(is_removed && content == "(folder)")) {
                found[is_removed ? path.substr(begin + 1) : path] = content;
            }
        }
        return found;
    }
};

Offered site() {
    Offered offered;
    offered.folder("site");
    offered.file("site/index", "index");
    return offered;
}

TEST_F(DeletionsTest, MoveFilesAndRemoveEmptyFolders) {
    Offered first = site();
    first.folder("site/old");
    first.file("site/old/news", "news");
    round(first);
    const DeletionReport report = round(site());
    EXPECT_EQ(report.moved, 1U);
    EXPECT_EQ(report.kept, 0U);
    EXPECT_EQ(received(), site().expected());
    EXPECT_EQ(removed(), (Tree{{"site/old/news", "news"}}));
}

TEST_F(DeletionsTest, MoveLinks) {
    Offered first = site();
    first.link("site/link", "index");
    round(first);
    EXPECT_EQ(round(site()).moved, 1U);
    EXPECT_EQ(received(), site().expected());
    EXPECT_EQ(removed(), (Tree{{"site/link", "-> index"}}));
}

TEST_F(DeletionsTest, GoToAnotherFolderIfAFileHasTheNameOfTheirs) {
    Offered first = site();
    first.file("site/a", "one");
    round(first);
    EXPECT_EQ(round(site()).moved, 1U);
    first = site();
    first.file("site/a/b/c", "two");
    round(first);
    EXPECT_EQ(round(site()).moved, 1U);
    EXPECT_EQ(removed(), (Tree{{"site/a", "one"}, {"site/a/b/c", "two"}}));
}

TEST_F(DeletionsTest, LeaveWhatTheReceiverMadeOrChanged) {
    Offered first = site();
    first.file("site/a", "one");
    first.folder("site/below");
    first.file("site/below/b", "two");
    std::filesystem::create_directories(folder_ / "site");
    std::ofstream(folder_ / "site" / "own") << "own";
    round(first);
    std::ofstream(folder_ / "site" / "a") << "own";
    std::ofstream(folder_ / "site" / "below" / "own") << "own";
    const DeletionReport report = round(site());
    EXPECT_EQ(report.moved, 1U);
    ASSERT_EQ(report.listed.size(), 1U);
    EXPECT_EQ(report.listed[0].path, "site/a");
    EXPECT_EQ(report.listed[0].why, Why::Changed);
    Tree expected = site().expected();
    expected["site/a"] = expected["site/own"] = expected["site/below/own"] = "own";
    expected["site/below"] = "(folder)";
    EXPECT_EQ(received(), expected);
    EXPECT_EQ(round(site()).kept, 0U) << "it is listed once";
}

TEST_F(DeletionsTest, WaitWhileAnItemIsGoneOrEmptyOrCannotBeRead) {
    Offered first = site();
    first.file("site/a", "one");
    first.file("single", "two");
    round(first);
    Offered empty;
    empty.folder("site");
    const DeletionReport report = round(empty);
    EXPECT_EQ(report.moved, 0U);
    ASSERT_EQ(report.listed.size(), 2U);
    EXPECT_EQ(report.listed[0].why, Why::ItemGone);
    EXPECT_EQ(received(), first.expected());

    const DeletionReport unread = round(site(), false);
    EXPECT_EQ(unread.moved, 0U);
    ASSERT_EQ(unread.listed.size(), 1U);
    EXPECT_EQ(unread.listed[0].why, Why::Incomplete);
    EXPECT_EQ(received(), first.expected());

    EXPECT_EQ(round(site()).moved, 1U);
    EXPECT_EQ(removed(), (Tree{{"site/a", "one"}}));
}

TEST_F(DeletionsTest, NumberTheDayOfANameThatIsTaken) {
    for (const char *content : {"one", "two", "three"}) {
        Offered first = site();
        first.file("site/a", content);
        round(first);
        EXPECT_EQ(round(site()).moved, 1U);
    }
    const std::filesystem::path all = folder_ / std::string(kRemovedFolder);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(all), {}), 3);
}

TEST_F(DeletionsTest, ContinueWithANewShareOfTheSameSender) {
    Offered first = site();
    first.file("site/a", "one");
    round(first);
    auto other = following();
    other.share = {9};
    const Offered second = site();
    Attempt attempt(second, target(), other);
    ASSERT_TRUE(attempt.run());
    EXPECT_EQ(received(), second.expected());
}

TEST_F(DeletionsTest, NeverTouchAnotherSendersFiles) {
    Offered first = site();
    first.file("site/a", "one");
    auto other = following();
    other.origin = {1};
    Attempt attempt(first, target(), other);
    ASSERT_TRUE(attempt.run());
    attempt.folder.reset();
    Offered own = site();
    own.file("site/b", "two");
    EXPECT_EQ(round(own).moved, 0U);
    first.file("site/b", "two");
    EXPECT_EQ(received(), first.expected());
}

/// A folder whose files and folders change at random.
class RandomSite {
public:
    explicit RandomSite(std::uint64_t seed) : random_(seed) {}

    void change() {
        const std::string path = any_path();
        switch (below(5)) {
        case 0:
            erase(path);
            break;
        case 1:
            if (auto found = files_.extract(path); !found.empty()) {
                const std::string to = any_path();
                make_room(to);
                files_[to] = found.mapped();
            }
            break;
        case 2:
            make_room(path);
            files_[path] = {.folder = true};
            break;
        default:
            make_room(path);
            files_[path] = {.content = test::bytes_of(below(3) == 0 ? 100'000 : 50, ++count_),
                            .mtime_ns = static_cast<std::int64_t>(1'000 * count_)};
        }
    }
    Offered offered() const {
        Offered all;
        all.folder("site");
        std::map<std::string, Entry> whole = files_;
        for (const auto &[path, entry] : files_) {
            for (auto slash = path.find('/'); slash != std::string::npos;
                 slash = path.find('/', slash + 1)) {
                whole.try_emplace(path.substr(0, slash), Entry{.folder = true});
            }
        }
        for (const auto &[path, entry] : whole) {
            if (entry.folder) {
                all.folder("site/" + path);
            } else {
                all.file("site/" + path, entry.content, entry.mtime_ns);
            }
        }
        all.file("site/stays", "stays");
        return all;
    }
    std::size_t below(std::size_t end) { return random_() % end; }

private:
    struct Entry {
        bool folder = false;
        std::string content{};
        std::int64_t mtime_ns = 0;
    };
    std::string any_path() {
        std::string path(1, static_cast<char>('a' + below(3)));
        for (std::size_t depth = below(3); depth > 0; --depth) {
            path += std::string("/") + static_cast<char>('a' + below(3));
        }
        return path;
    }
    void erase(const std::string &path) {
        std::erase_if(files_, [&](const auto &each) {
            return each.first == path || each.first.starts_with(path + "/");
        });
    }
    void make_room(const std::string &path) {
        erase(path);
        for (auto slash = path.find('/'); slash != std::string::npos;
             slash = path.find('/', slash + 1)) {
            const auto above = files_.find(path.substr(0, slash));
            if (above != files_.end() && !above->second.folder) {
                files_.erase(above);
            }
        }
    }

    std::mt19937_64 random_;
    std::map<std::string, Entry> files_;
    std::uint64_t count_ = 0;
};

TEST_F(DeletionsTest, LeadToTheSameFolderAfterRandomChangesAndKills) {
    RandomSite changing(36);
    for (int rounds = 0; rounds < 40; ++rounds) {
        for (std::size_t changes = 1 + changing.below(4); changes > 0; --changes) {
            changing.change();
        }
        const Offered offered = changing.offered();
        if (changing.below(2) == 0) {
            Attempt killed(offered, target(), following(changing.below(4)));
            killed.folder = open(offered);
            static_cast<void>(killed.prepare() && killed.send_all());
            continue;
        }
        round(offered);
        ASSERT_EQ(test::difference(received(), offered.expected()), "") << "round " << rounds;
    }
}

} // namespace
} // namespace thru::test
