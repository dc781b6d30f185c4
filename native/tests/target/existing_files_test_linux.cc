// Files in the places of offered ones: permissions, other kinds, and two receives at once.
#include <sys/stat.h>

#include <filesystem>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "target/local_transfer.h"
#include "target/scenario.h"

namespace thru {
namespace {

using test::Attempt;
using test::Offered;
using test::TemporaryFolder;

constexpr std::int64_t kLater = 2'000'000'000'000;

class ExistingFilesTest : public testing::Test {
protected:
    static test::SendOptions by(ConflictPolicy policy) { return {.receive = {.conflict = policy}}; }
    Attempt receive(const Offered &offered, const test::SendOptions &options) const {
        Attempt attempt(offered, target_.path().string(), options);
        EXPECT_TRUE(attempt.run()) << attempt.error->detail;
        return attempt;
    }
    mode_t mode_of(const char *name) const {
        struct stat status{};
        EXPECT_EQ(::lstat((target_ / name).c_str(), &status), 0);
        return status.st_mode & 07777U;
    }
    void set_mode(const char *name, mode_t mode) const {
        EXPECT_EQ(::chmod((target_ / name).c_str(), mode), 0);
    }

    TemporaryFolder target_;
};

Offered tool(std::string content, std::int64_t mtime_ns, bool executable) {
    Offered offered;
    offered.add({.executable = executable, .path = "tool", .mtime_ns = mtime_ns},
                std::move(content));
    return offered;
}

TEST_F(ExistingFilesTest, KeepTheirPermissionsExceptForExecution) {
    for (const std::size_t size : {100U, 100'000U}) {
        test::write_file(target_ / "tool", "old");
        set_mode("tool", 0600);
        receive(tool(test::bytes_of(size, 1), kLater, true), by(ConflictPolicy::Replace));
        EXPECT_EQ(mode_of("tool"), 0700U);
        receive(tool(test::bytes_of(size, 2), 2 * kLater, false), by(ConflictPolicy::Replace));
        EXPECT_EQ(mode_of("tool"), 0600U);
    }
}

TEST_F(ExistingFilesTest, BecomeExecutableWithoutBeingSentIfTheyAreReplaced) {
    receive(tool("run", kLater, false), by(ConflictPolicy::Update));
    set_mode("tool", 0640);
    const Offered executable = tool("run", kLater, true);
    EXPECT_EQ(receive(executable, by(ConflictPolicy::KeepBoth)).bytes_sent, 0U);
    EXPECT_EQ(mode_of("tool"), 0640U);
    EXPECT_EQ(receive(executable, by(ConflictPolicy::Update)).bytes_sent, 0U);
    EXPECT_EQ(mode_of("tool"), 0750U);

    test::SendOptions by_content = by(ConflictPolicy::Replace);
    by_content.receive.compare_content = true;
    EXPECT_EQ(receive(tool("run", kLater, false), by_content).bytes_sent, 0U);
    EXPECT_EQ(mode_of("tool"), 0640U);
    EXPECT_EQ(test::read_file(target_ / "tool"), "run");
}

TEST_F(ExistingFilesTest, FailAnEntryIfTheyAreFoldersThatItWouldReplace) {
    std::filesystem::create_directories(target_ / "tool/tool");
    for (const auto policy :
         {ConflictPolicy::Replace, ConflictPolicy::Update, ConflictPolicy::ReplaceOlder}) {
        const Attempt attempt = receive(tool("run", 4 * kLater * 1'000'000, false), by(policy));
        EXPECT_EQ(attempt.failures.at(0), ErrorCode::TargetNotWritable);
        EXPECT_EQ(attempt.bytes_sent, 0U);
    }
    Offered link;
    link.link("tool/tool", "elsewhere");
    EXPECT_EQ(receive(link, by(ConflictPolicy::Update)).failures.at(0),
              ErrorCode::TargetNotWritable);
    EXPECT_EQ(test::snapshot(target_.path()),
              (test::Snapshot{{"tool", "(folder)"}, {"tool/tool", "(folder)"}}));
}

TEST_F(ExistingFilesTest, AreComparedByContentIfTheirTimesAreTheReceivers) {
    test::SendOptions timeless = by(ConflictPolicy::Update);
    timeless.receive.keep_times = false;
    Offered offered;
    offered.file("small", "content");
    offered.file("empty", "");
    receive(offered, timeless);
    EXPECT_EQ(receive(offered, timeless).bytes_sent, 0U);
    Offered changed;
    changed.file("small", "CONTENT");
    EXPECT_EQ(receive(changed, timeless).bytes_sent, 7U);
    EXPECT_EQ(test::snapshot(target_.path()),
              (test::Snapshot{{"small", "CONTENT"}, {"empty", ""}}));
}

TEST_F(ExistingFilesTest, GiveWayToAFolderThoughAnotherFileHasItsNameInCapitals) {
    test::SendOptions following = by(ConflictPolicy::Update);
    following.receive.follow = following.receive.deletions = true;
    Offered first;
    first.file("site/A", "large");
    first.file("site/a", "small");
    receive(first, following);
    Offered next;
    next.file("site/A", "large");
    next.folder("site/a");
    next.file("site/a/b", "below");
    EXPECT_TRUE(receive(next, following).failures.empty());
    EXPECT_EQ(test::read_file(target_ / "site/A"), "large");
    EXPECT_EQ(test::read_file(target_ / "site/a/b"), "below");
}

TEST_F(ExistingFilesTest, GetNoSecondCopyFromTwoReceivesAtOnce) {
    test::write_file(target_ / "old", "older");
    Offered offered;
    offered.file("old", "newer");
    offered.file("new", "new");
    const test::SendOptions options = by(ConflictPolicy::Update);
    const auto open = [&](Attempt &attempt, WireId id) {
        attempt.folder =
            ReceiveFolder::open(target_.path().string(), offered.manifest, options.receive,
                                {.share = test::kShare, .receive = id})
                .value();
        ASSERT_TRUE(attempt.prepare());
    };
    Attempt one(offered, target_.path().string(), options);
    Attempt other(offered, target_.path().string(), options);
    open(one, {1});
    open(other, {2});
    EXPECT_TRUE(one.send_all() && one.finish());
    EXPECT_TRUE(other.send_all() && other.finish());
    EXPECT_EQ(other.renamed, 0U);
    EXPECT_EQ(test::snapshot(target_.path()), (test::Snapshot{{"old", "newer"}, {"new", "new"}}));
}

} // namespace
} // namespace thru
