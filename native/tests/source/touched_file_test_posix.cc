// Files whose ctime changes while receivers have part of them: touched, or edited with size and
// modification time restored.
#include "source/segment_reader.h"

#include <cstdio>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "source/chunk_listing.h"
#include "source/share.h"
#include "support/sizes.h"

namespace thru::test {
namespace {

/// Repeats `once` until the file system's clock has advanced.
void change(const std::filesystem::path &path, const std::function<void()> &once) {
    const auto before = fs::status_of(path.string())->ctime_ns;
    while (fs::status_of(path.string())->ctime_ns == before) {
        once();
    }
}

/// Changes ctime alone, like a change of an extended attribute.
void touch(const std::filesystem::path &path) {
    change(path, [&] {
        std::filesystem::permissions(path, std::filesystem::status(path).permissions());
    });
}

/// A file of three segments that is sent to a receiver.
class TouchedFile : public testing::Test {
protected:
    static constexpr std::uint64_t kSize = 2 * kSegmentBytes + kMiB;

    TouchedFile() {
        write_file(path_, test::noise(kSize, 1));
        test::make_old(path_);
        share_.add({path_.string()});
    }

    std::expected<Bytes, SegmentReader::Failure> read(std::uint64_t offset, std::uint64_t length) {
        return test::read_segment(share_, {{0, offset, length}});
    }
    void edit(std::uint64_t offset) const {
        const auto time = std::filesystem::last_write_time(path_);
        change(path_, [&] {
            std::FILE *file = std::fopen(path_.c_str(), "r+b");
            ASSERT_NE(file, nullptr);
            std::fseek(file, static_cast<long>(offset), SEEK_SET);
            std::fputs("other bytes", file);
            std::fclose(file);
            std::filesystem::last_write_time(path_, time);
        });
        EXPECT_EQ(test::mtime_of(path_), share_.entries[0].entry.mtime_ns);
    }
    static void expect_modified(const std::expected<Bytes, SegmentReader::Failure> &read) {
        ASSERT_FALSE(read);
        EXPECT_EQ(read.error().index, 0u);
        EXPECT_EQ(read.error().error.code, ErrorCode::SourceChanged);
        EXPECT_EQ(read.error().error.detail, "it was modified");
    }

    TemporaryFolder folder_;
    std::filesystem::path path_ = folder_ / "file";
    Share share_;
    ReadLog::Receiver receiver_{share_.files->read_log()};
};

TEST_F(TouchedFile, GoesOnWhenItsAttributesChange) {
    const WireId validator = share_.files->validator(0);
    ASSERT_TRUE(read(0, kSegmentBytes));
    change(path_, [&] {
        std::filesystem::remove(folder_ / "link");
        std::filesystem::create_hard_link(path_, folder_ / "link");
    });
    ASSERT_TRUE(read(kSegmentBytes, kSegmentBytes));
    change(path_, [&] { std::filesystem::permissions(path_, std::filesystem::perms::owner_all); });
    ASSERT_TRUE(read(2 * kSegmentBytes, kMiB));
    EXPECT_EQ(share_.files->validator(0), validator);
}

TEST_F(TouchedFile, GoesOnWhenItWasOnlyTouched) {
    const WireId validator = share_.files->validator(0);
    ASSERT_TRUE(read(0, kSegmentBytes));
    touch(path_);
    ASSERT_TRUE(read(kSegmentBytes, kSegmentBytes));
    EXPECT_EQ(share_.files->validator(0), validator);
}

TEST_F(TouchedFile, GoesOnWhenItWasTouchedWithinASegment) {
    SegmentReader reader(share_.files, {{0, 0, kSegmentBytes}});
    Bytes chunk(kMiB);
    ASSERT_TRUE(reader.read(chunk));
    touch(path_);
    while (!reader.finished()) {
        ASSERT_TRUE(reader.read(chunk));
    }
}

TEST_F(TouchedFile, FailsWhenWhatWasSentOfItIsOtherDataNow) {
    ASSERT_TRUE(read(0, kSegmentBytes));
    edit(kMiB);
    expect_modified(read(kSegmentBytes, kSegmentBytes));
    touch(path_);
    expect_modified(read(kSegmentBytes, kSegmentBytes));
}

TEST_F(TouchedFile, GoesOnWhenWhatWasNotSentOfItIsOtherDataNow) {
    ASSERT_TRUE(read(0, kSegmentBytes));
    edit(kSegmentBytes + kMiB);
    EXPECT_TRUE(read(kSegmentBytes, kSegmentBytes));
}

TEST_F(TouchedFile, FailsWhenItIsEditedAfterItsChunksWereListed) {
    ASSERT_TRUE(read(0, kSegmentBytes));
    ASSERT_FALSE(test::chunks_of(share_.files, 0).back().runs.empty());
    edit(kSegmentBytes + kMiB);
    expect_modified(read(kSegmentBytes, kSegmentBytes));
}

TEST_F(TouchedFile, IsNotListedWhenItIsEditedMeanwhile) {
    ChunkListing listing(share_.files, 0);
    auto listed = listing.step();
    ASSERT_TRUE(listed);
    ASSERT_FALSE(listing.is_last(*listed));
    edit(kMiB);
    ASSERT_TRUE(read(0, kSegmentBytes)) << "another receiver settles the new version";
    while (!listed || !listing.is_last(*listed)) {
        listed = listing.step();
    }
    EXPECT_TRUE(listed->runs.empty());
}

TEST_F(TouchedFile, FailsWhenItIsEditedWithinASegment) {
    SegmentReader reader(share_.files, {{0, 0, kSegmentBytes}});
    Bytes chunk(4 * kMiB);
    ASSERT_TRUE(reader.read(chunk));
    edit(kMiB);
    ASSERT_TRUE(reader.read(chunk));
    const auto last = reader.read(chunk);
    ASSERT_FALSE(last);
    EXPECT_EQ(last.error().error.detail, "it was modified");
}

TEST_F(TouchedFile, FailsForOneThatIsSentOtherDataOnceMore) {
    ASSERT_TRUE(read(0, kSegmentBytes));
    edit(kMiB);
    expect_modified(read(0, kSegmentBytes));
}

TEST(TouchedFiles, AreAnotherVersionForReceiversThatComeLater) {
    const TemporaryFolder folder;
    write_file(folder / "file", test::noise(kSegmentBytes + 1, 1));
    const Share share({(folder / "file").string()});
    const WireId validator = share.files->validator(0);
    {
        const ReadLog::Receiver first(share.files->read_log());
        ASSERT_TRUE(test::read_segment(share, {{0, 0, kSegmentBytes}}));
    }
    touch(folder / "file");
    const ReadLog::Receiver second(share.files->read_log());
    ASSERT_TRUE(test::read_segment(share, {{0, 0, kSegmentBytes}}));
    EXPECT_NE(share.files->validator(0), validator);
}

TEST(TouchedFiles, AreComparedAStepAtATime) {
    const TemporaryFolder folder;
    constexpr std::uint64_t kSize = 3 * ReadLog::kStepBytes;
    write_file(folder / "file", "");
    std::filesystem::resize_file(folder / "file", kSize);
    const Share share({(folder / "file").string()});
    const ReadLog::Receiver receiver(share.files->read_log());
    for (std::uint64_t offset = 0; offset + kSegmentBytes < kSize; offset += kSegmentBytes) {
        ASSERT_TRUE(test::read_segment(share, {{0, offset, kSegmentBytes}}, kSegmentBytes));
    }
    touch(folder / "file");
    SegmentReader last(share.files, {{0, kSize - kSegmentBytes, kSegmentBytes}});
    Bytes chunk(static_cast<std::size_t>(last.stream_bytes()));
    EXPECT_EQ(last.read(chunk), 0u);
    EXPECT_EQ(last.read(chunk), 0u);
    EXPECT_EQ(last.read(chunk), chunk.size());
    EXPECT_TRUE(last.finished());
}

} // namespace
} // namespace thru::test
