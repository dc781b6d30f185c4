// Interrupted receives, and changes to the folder before they resume.
#include <fstream>
#include <functional>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "target/fake_sender.h"

namespace thru::test {
namespace {

using Tree = std::map<std::string, std::string>;

constexpr std::size_t kSmallFiles = 5;
constexpr std::uint64_t kResumedSize = 1'000'000;

class ResumeTest : public testing::Test {
protected:
    ResumeTest() {
        for (std::size_t file = 0; file < kSmallFiles; ++file) {
            offered_.file("small " + std::to_string(file), bytes_of(2'000, file));
        }
        large_ = offered_.file("large", bytes_of(kResumedSize, 9));
        options_.piece = 100'000;
    }

    std::string target() const { return (folder_ / "in").string(); }

    /// Stops after `segments` segments: the first has the small files, the others the large one.
    Attempt interrupted(std::size_t segments, bool killed = false) {
        test::SendOptions options = options_;
        options.max_segments = segments;
        Attempt attempt(offered_, target(), options);
        EXPECT_FALSE(attempt.run());
        EXPECT_FALSE(attempt.error) << attempt.error->detail;
        if (!killed) {
            attempt.folder->suspend();
        }
        attempt.folder.reset();
        return attempt;
    }

    Attempt finished() {
        Attempt attempt(offered_, target(), options_);
        EXPECT_TRUE(attempt.run()) << attempt.error->detail;
        attempt.folder.reset();
        return attempt;
    }

    std::filesystem::path part() const {
        for (const auto &entry : std::filesystem::directory_iterator(target())) {
            if (entry.path().extension() == ".part") {
                return entry.path();
            }
        }
        ADD_FAILURE() << "no part file";
        return {};
    }
    std::filesystem::path journal() const {
        for (const auto &entry : std::filesystem::directory_iterator(target())) {
            if (entry.path().extension() == ".journal") {
                return entry.path();
            }
        }
        ADD_FAILURE() << "no journal";
        return {};
    }

    /// Expects that the large file resumes at this offset, and that the result is right.
    void expect_resumed_at(std::uint64_t offset) {
        const Attempt attempt = finished();
        const auto at = attempt.resumed_at.find(large_);
        EXPECT_EQ(at == attempt.resumed_at.end() ? 0 : at->second, offset);
        EXPECT_TRUE(test::snapshot(target()) == offered_.expected());
    }

    bool counts_insertions() const {
        return fs::volume_facts(fs::open_folder(target()).value())->counts_insertions;
    }

    TemporaryFolder folder_;
    Offered offered_;
    std::uint64_t large_ = 0;
    test::SendOptions options_;
};

TEST_F(ResumeTest, SendsNothingTwice) {
    for (const bool killed : {false, true}) {
        std::filesystem::remove_all(target());
        const Attempt before = interrupted(5, killed);
        const Attempt after = finished();
        EXPECT_EQ(before.bytes_sent + after.bytes_sent, kSmallFiles * 2'000 + kResumedSize);
        EXPECT_EQ(after.prepared.resumed_bytes, before.bytes_sent);
        EXPECT_TRUE(test::snapshot(target()) == offered_.expected());
    }
}

TEST_F(ResumeTest, ResumesAfterEverySegment) {
    std::uint64_t sent = 0;
    for (std::size_t attempt = 0; attempt < 10; ++attempt) {
        sent += interrupted(1, attempt % 2 == 0).bytes_sent;
    }
    sent += finished().bytes_sent;
    EXPECT_EQ(sent, kSmallFiles * 2'000 + kResumedSize);
    EXPECT_TRUE(test::snapshot(target()) == offered_.expected());
}

TEST_F(ResumeTest, SendsAgainOnlyTheGapsOfItsSender) {
    for (const OriginId &origin : {test::kOrigin, OriginId{1}}) {
        std::filesystem::remove_all(target());
        test::SendOptions options = options_;
        options.max_segments = 6;
        Attempt before(offered_, target(), options);
        EXPECT_FALSE(before.run());
        before.folder->invalidate(large_, {{.offset = 100'000, .length = 100'000}});
        before.folder->suspend();
        before.folder.reset();
        std::fstream(part(), std::ios::in | std::ios::out | std::ios::binary).seekp(150'000).put(0);
        options_.origin = origin;
        Attempt after(offered_, target(), options_);
        EXPECT_TRUE(after.run());
        const bool same = origin == test::kOrigin;
        EXPECT_EQ(after.resumed_at[large_], same ? 500'000U : 100'000U);
        EXPECT_EQ(after.prepared.resumed_bytes, same ? 410'000U : 100'000U);
        after.folder.reset();
        EXPECT_EQ(test::read_file(folder_ / "in/large"), offered_.contents[large_]);
        options_.origin = test::kOrigin;
    }
}

TEST_F(ResumeTest, FindsTheFolderWhereItWasMoved) {
    static_cast<void>(interrupted(5));
    std::filesystem::rename(target(), folder_ / "elsewhere");
    Attempt attempt(offered_, (folder_ / "elsewhere").string(), options_);
    ASSERT_TRUE(attempt.run());
    EXPECT_EQ(attempt.resumed_at[large_], 400'000u);
    attempt.folder.reset();
    EXPECT_TRUE(test::snapshot(folder_ / "elsewhere") == offered_.expected());
}

TEST_F(ResumeTest, KnowsAShareByItsFiles) {
    static_cast<void>(interrupted(5));
    options_.share = {9, 9};
    expect_resumed_at(400'000);
}

TEST_F(ResumeTest, ResumesUnchangedFilesOfAShare) {
    static_cast<void>(interrupted(5));
    // A different order, a different file, and a different version of one file.
    Offered changed;
    changed.file("another", "new");
    large_ = changed.file("large", offered_.contents[large_]);
    for (std::size_t file = kSmallFiles; file > 0; --file) {
        changed.file("small " + std::to_string(file - 1), offered_.contents[file - 1]);
    }
    changed.file("small 5", "x");
    offered_ = std::move(changed);
    const Attempt after = finished();
    EXPECT_EQ(after.bytes_sent, kResumedSize - 400'000 + 4);
    EXPECT_TRUE(test::snapshot(target()) == offered_.expected());
}

TEST_F(ResumeTest, RestartsAnotherVersionOfAFile) {
    static_cast<void>(interrupted(5));
    Offered changed;
    large_ = changed.file("large", bytes_of(kResumedSize, 77), 5'000'000'000);
    offered_ = std::move(changed);
    const Attempt after = finished();
    EXPECT_EQ(after.bytes_sent, kResumedSize);
    EXPECT_EQ(test::read_file(folder_ / "in/large"), offered_.contents[large_]);
}

TEST_F(ResumeTest, RestartsWhatTheSenderHasNot) {
    static_cast<void>(interrupted(5));
    offered_.contents[large_] = bytes_of(kResumedSize, 77);
    const Attempt after = finished();
    EXPECT_TRUE(after.restarted.contains(large_));
    EXPECT_TRUE(test::snapshot(target()) == offered_.expected());
}

TEST_F(ResumeTest, StepsBackOverDamagedExtents) {
    for (const std::uint64_t damaged : {450'000, 310'000}) {
        std::filesystem::remove_all(target());
        static_cast<void>(interrupted(6, true));
        std::string content = test::read_file(part());
        content[damaged] ^= 1;
        {
            std::fstream file(part(), std::ios::in | std::ios::out | std::ios::binary);
            file.seekp(static_cast<std::streamoff>(damaged));
            file.put(content[damaged]);
        }
        Attempt attempt(offered_, target(), options_);
        ASSERT_TRUE(attempt.run());
        const bool looks = damaged > 400'000 || !counts_insertions();
        // The last extent is not checked, unless the volume can lose it unnoticed.
        EXPECT_EQ(attempt.resumed_at[large_], looks ? damaged / 100'000 * 100'000 : 500'000);
        if (!looks) {
            continue;
        }
        attempt.folder.reset();
        EXPECT_TRUE(test::snapshot(target()) == offered_.expected());
    }
}

TEST_F(ResumeTest, RestartsAPartFileThatWasTamperedWith) {
    const std::vector<std::function<void(const std::filesystem::path &)>> deeds = {
        [](const auto &path) { std::filesystem::resize_file(path, 0); },
        [](const auto &path) { std::filesystem::remove(path); },
        [](const auto &path) {
            std::filesystem::remove(path);
            std::filesystem::create_directory(path);
        },
        [](const auto &path) {
            std::string content = test::read_file(path);
            content.front() = static_cast<char>(content.front() ^ 1);
            test::write_file(path.string() + "x", content);
            std::filesystem::rename(path.string() + "x", path);
        },
        [](const auto &path) { test::write_file(path, std::string(500'000, 'x')); },
    };
    for (const auto &deed : deeds) {
        std::filesystem::remove_all(target());
        static_cast<void>(interrupted(5));
        const auto tampered = part();
        deed(tampered);
        const Attempt after = finished();
        EXPECT_FALSE(after.resumed_at.contains(large_));
        Tree found = test::snapshot(target());
        found.erase(tampered.filename().string());
        EXPECT_TRUE(found == offered_.expected());
    }
}

TEST_F(ResumeTest, ResumesAPartFileWithAnotherNumber) {
    static_cast<void>(interrupted(5));
    const std::filesystem::path other = part().string() + "x";
    std::filesystem::copy_file(part(), other);
    std::filesystem::rename(other, part());
    expect_resumed_at(400'000);
}

TEST_F(ResumeTest, ResumesNoMoreOfALengthenedPartFileThanItWrote) {
    static_cast<void>(interrupted(5));
    std::filesystem::resize_file(part(), kResumedSize + 5'000);
    expect_resumed_at(400'000);
}

TEST_F(ResumeTest, ResumesNoMoreOfATruncatedPartFileThanIsLeft) {
    static_cast<void>(interrupted(5));
    std::filesystem::resize_file(part(), 350'000);
    expect_resumed_at(300'000);
}

TEST_F(ResumeTest, KnowsCompleteFilesWithoutAJournal) {
    static_cast<void>(interrupted(5));
    std::filesystem::remove(journal());
    const auto left = part();
    const Attempt after = finished();
    EXPECT_EQ(after.bytes_sent, kResumedSize);
    EXPECT_EQ(after.prepared.summary.identical, kSmallFiles);
    std::filesystem::remove(left);
    EXPECT_TRUE(test::snapshot(target()) == offered_.expected());
}

TEST_F(ResumeTest, ResumesFromTheIntactPartOfADamagedJournal) {
    static_cast<void>(interrupted(5));
    const std::string bytes = test::read_file(journal());
    for (std::size_t at = 0; at < bytes.size(); at += 97) {
        const TemporaryFolder above;
        const std::filesystem::path copy = above / "copy";
        std::filesystem::copy(target(), copy, std::filesystem::copy_options::recursive);
        std::string changed = bytes;
        changed[at] = static_cast<char>(~changed[at]);
        test::write_file(copy / journal().filename().string(), changed);
        Attempt attempt(offered_, copy.string(), options_);
        ASSERT_TRUE(attempt.run());
        for (const auto &[path, content] : offered_.expected()) {
            EXPECT_TRUE(test::read_file(copy / path) == content);
        }
    }
}

TEST_F(ResumeTest, KeepsWhatTheUserDidToCompleteFiles) {
    static_cast<void>(interrupted(5));
    std::filesystem::remove(folder_ / "in/small 1");
    test::write_file(folder_ / "in/small 2", "edited by hand");
    const Attempt after = finished();
    EXPECT_EQ(after.sent_files, (std::set<std::uint64_t>{1, 2, large_}));
    Tree expected = offered_.expected();
    expected["small 2 (2)"] = expected["small 2"];
    expected["small 2"] = "edited by hand";
    EXPECT_TRUE(test::snapshot(target()) == expected);
}

TEST_F(ResumeTest, TwoReceiversInOneFolderDoNotDisturbEachOther) {
    test::SendOptions some = options_;
    some.max_segments = 5;
    Attempt first(offered_, target(), some);
    EXPECT_FALSE(first.run());
    // The first attempt is still active.
    Attempt second(offered_, target(), options_);
    ASSERT_TRUE(second.run());
    EXPECT_EQ(second.prepared.summary.identical, kSmallFiles);
    EXPECT_EQ(second.bytes_sent, kResumedSize);
    first.folder->suspend();
    first.folder.reset();
    const Attempt third = finished();
    EXPECT_EQ(third.bytes_sent, 0u);
    EXPECT_TRUE(test::snapshot(target()) == offered_.expected());
}

TEST_F(ResumeTest, ReadsBackWhatItContinues) {
    options_.receive.verify = true;
    static_cast<void>(interrupted(5, true));
    expect_resumed_at(400'000);
}

TEST_F(ResumeTest, DropsWhatIsNotWanted) {
    static_cast<void>(interrupted(5));
    Attempt attempt(offered_, target(), options_);
    attempt.unwanted = {{large_, 1}};
    ASSERT_TRUE(attempt.run());
    Tree expected = offered_.expected();
    expected.erase("large");
    EXPECT_TRUE(test::snapshot(target()) == expected);
}

TEST_F(ResumeTest, DeletesPartsUnderMappedNamesThatAreNoLongerOffered) {
    Offered before;
    for (std::size_t index = 0; index < offered_.contents.size(); ++index) {
        before.file(offered_.path(index), offered_.contents[index]);
    }
    before.folder("line\nbreak");
    before.file("line\nbreak/gone", bytes_of(300'000, 4));
    test::SendOptions options = options_;
    options.max_segments = 13;
    Attempt first(before, target(), options);
    EXPECT_FALSE(first.run());
    first.folder->suspend();
    first.folder.reset();
    const auto mapped = std::filesystem::path(target()) / "line%0Abreak";
    ASSERT_FALSE(std::filesystem::is_empty(mapped));
    static_cast<void>(finished());
    EXPECT_TRUE(std::filesystem::is_empty(mapped));
}

} // namespace
} // namespace thru::test
