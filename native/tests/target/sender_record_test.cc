// Files that a sender has sent before and that are unchanged since are updated; others stay.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "support/prepare_folder.h"
#include "support/sizes.h"
#include "target/existing/sender_record.h"
#include "target/fake_sender.h"
#include "target/preflight.h"

namespace thru::test {
namespace {

constexpr OriginId kAnotherOrigin = {1};

SecretKey installation_of(std::uint8_t first) {
    SecretKey key;
    key.mutable_view().front() = first;
    return key;
}

class SenderRecord : public testing::Test {
protected:
    void SetUp() override {
        write_file(folder_ / "probe", "");
        const auto file = fs::open_for_writing(*fs::open_folder(folder_.path().string()), "probe");
        if (!file || !fs::set_sender_record(*file, Bytes{1})) {
            GTEST_SKIP() << "this file system stores no records";
        }
    }

    std::string target() const { return (folder_ / "in").string(); }
    std::filesystem::path at(const char *name) const { return folder_ / "in" / name; }

    static SendOptions options(const OriginId &origin = kOrigin, std::uint8_t key = 1) {
        SendOptions options;
        options.origin = origin;
        options.record_key = record_key(installation_of(key), origin);
        options.receive.conflict = ConflictPolicy::UpdateUnchanged;
        return options;
    }

    static Offered version(std::uint64_t number, std::size_t size = 5'000) {
        Offered offered;
        offered.file("report", bytes_of(size, number), static_cast<std::int64_t>(number) * 100'000);
        return offered;
    }

    Attempt receive(const Offered &offered, const SendOptions &chosen) const {
        Attempt attempt(offered, target(), chosen);
        EXPECT_TRUE(attempt.run()) << attempt.error->detail;
        attempt.folder.reset();
        return attempt;
    }

    PreflightResult preflight(const Offered &offered, const SendOptions &chosen) const {
        return *preflight_target(target(), *offered.manifest, offered.contents.size(),
                                 chosen.receive, {}, chosen.record_key);
    }

    /// Both versions are there, and the preflight says so.
    void expect_kept_both(std::string_view old, const Offered &offered,
                          const SendOptions &chosen) const {
        const PreflightResult found = preflight(offered, chosen);
        EXPECT_EQ(found.conflicts.kept_both, 1U);
        EXPECT_EQ(found.updated_files, 0U);
        EXPECT_EQ(receive(offered, chosen).renamed, 1U);
        EXPECT_EQ(snapshot(target()), (std::map<std::string, std::string>{
                                          {"report", std::string(old)},
                                          {"report (2)", offered.contents.front()},
                                      }));
    }

    TemporaryFolder folder_;
};

TEST_F(SenderRecord, AllowsTheSameSenderToUpdateSmallAndLargeFiles) {
    for (const std::size_t size : {std::size_t{5'000}, std::size_t{100'000}, 2 * kMiB}) {
        std::filesystem::remove_all(target());
        receive(version(1, size), options());
        // The second record replaces the first.
        for (const std::uint64_t next : {2U, 3U}) {
            const Offered offered = version(next, size);
            const PreflightResult found = preflight(offered, options());
            EXPECT_EQ(found.conflicts.replaced, 1U);
            EXPECT_EQ(found.updated_files, 1U);
            EXPECT_EQ(found.updated_bytes, size);
            EXPECT_TRUE(found.listed_conflicts.at(0).replaced);
            EXPECT_EQ(receive(offered, options()).renamed, 0U);
            EXPECT_EQ(snapshot(target()), offered.expected());
        }
    }
}

TEST_F(SenderRecord, CoversAFileUnderTheNameThatTheReceiverChose) {
    SendOptions renaming = options();
    renaming.receive.renames =
        std::make_shared<const Renames>(Renames{{"report", "mine"}, {"mine", "report"}});
    receive(version(1), renaming);
    EXPECT_EQ(preflight(version(2), renaming).updated_files, 1U);
    EXPECT_EQ(receive(version(2), renaming).renamed, 0U);
    EXPECT_EQ(snapshot(target()), (std::map<std::string, std::string>{
                                      {"mine", version(2).contents.front()},
                                  }));
    Offered other;
    other.file("mine", bytes_of(5'000, 3), 300'000);
    EXPECT_EQ(receive(other, options()).renamed, 1U) << "another item had that name";
}

TEST_F(SenderRecord, DoesNotCoverAnotherSendersFile) {
    receive(version(1), options(kAnotherOrigin));
    expect_kept_both(version(1).contents.front(), version(2), options());
}

TEST_F(SenderRecord, DoesNotCoverAFileOfASenderWithoutAKey) {
    EXPECT_FALSE(record_key(installation_of(1), OriginId{}));
    receive(version(1), options(OriginId{}));
    expect_kept_both(version(1).contents.front(), version(2), options(OriginId{}));
}

TEST_F(SenderRecord, ChangesNothingIfThePolicyIsToKeepBoth) {
    SendOptions keeping = options();
    keeping.receive.conflict = ConflictPolicy::KeepBoth;
    receive(version(1), options());
    expect_kept_both(version(1).contents.front(), version(2), keeping);
}

TEST_F(SenderRecord, ShowsChangesHere) {
    receive(version(1), options());
    write_file(at("report"), "edited");
    expect_kept_both("edited", version(2), options());
}

TEST_F(SenderRecord, IsMadeByThisInstallationAlone) {
    receive(version(1), options(kOrigin, 2));
    expect_kept_both(version(1).contents.front(), version(2), options(kOrigin, 1));
}

TEST_F(SenderRecord, OfAnotherFileProvesNothing) {
    Offered two = version(1);
    two.file("other", bytes_of(5'000, 1), 100'000);
    receive(two, options());
    // The user prefers the other file, which has the same size and time.
    std::filesystem::remove(at("report"));
    std::filesystem::rename(at("other"), at("report"));
    expect_kept_both(two.contents[1], version(2), options());
}

TEST_F(SenderRecord, DoesNotCoverAFileWithAnotherName) {
    receive(version(1), options());
    std::filesystem::create_hard_link(at("report"), folder_ / "name");
    expect_kept_both(version(1).contents.front(), version(2), options());
}

TEST_F(SenderRecord, ProtectsAFileThatIsChangedDuringTheTransfer) {
    receive(version(1), options());
    SendOptions chosen = options();
    chosen.before_commit = [this] { write_file(at("report"), "edited"); };
    EXPECT_EQ(receive(version(2), chosen).renamed, 1U);
    EXPECT_EQ(read_file(at("report")), "edited");
    EXPECT_EQ(read_file(at("report (2)")), version(2).contents.front());
}

TEST_F(SenderRecord, ProtectsAFileWhoseSizeAndTimeAreRestoredDuringTheTransfer) {
    receive(version(1), options());
    const std::string edited = bytes_of(5'000, 9);
    SendOptions chosen = options();
    chosen.before_commit = [&] {
        const auto folder = *fs::open_folder(target());
        const auto before = *fs::status_beneath(folder, "report");
        // The change time has the resolution of the system's clock.
        while (fs::status_beneath(folder, "report")->ctime_ns == before.ctime_ns) {
            write_file(at("report"), edited);
            fs::set_attributes(*fs::open_for_writing(folder, "report"), before.mtime_ns,
                               before.mode);
        }
    };
    EXPECT_EQ(receive(version(2), chosen).renamed, 1U);
    EXPECT_EQ(read_file(at("report")), edited);
}

#ifndef __APPLE__
TEST_F(SenderRecord, ProtectsAFileThatAnotherProgramMayWrite) {
    receive(version(1), options());
    std::ofstream writer(at("report"), std::ios::binary | std::ios::app);
    EXPECT_EQ(receive(version(2), options()).renamed, 1U);
    writer << "more" << std::flush;
    EXPECT_EQ(read_file(at("report")), version(1).contents.front() + "more");
    EXPECT_EQ(read_file(at("report (2)")), version(2).contents.front());
}
#endif

TEST_F(SenderRecord, IsNotMadeIfTimesAreNotKept) {
    SendOptions timeless = options();
    timeless.receive.keep_times = false;
    receive(version(1), timeless);
    expect_kept_both(version(1).contents.front(), version(2, 6'000), options());
}

TEST_F(SenderRecord, IsMadeForComparedContent) {
    SendOptions comparing = options();
    comparing.receive.compare_content = true;
    receive(version(1), comparing);
    EXPECT_EQ(receive(version(2), comparing).restarted.size(), 1U);
    EXPECT_EQ(snapshot(target()), version(2).expected());
}

} // namespace
} // namespace thru::test
