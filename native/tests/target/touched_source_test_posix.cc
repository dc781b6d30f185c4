// Sources touched or changed between two attempts, without changing size or modification time.
#include <fstream>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "support/sizes.h"
#include "target/local_transfer.h"

namespace thru::test {
namespace {

class TouchedSource : public testing::Test {
protected:
    static constexpr std::uint64_t kSize = 4 * kSegmentBytes + kMiB;

    TouchedSource() {
        test::write_file(source_, test::noise(kSize, 1));
        test::make_old(source_);
        mtime_ = std::filesystem::last_write_time(source_);
        const auto before = test::transfer({source_.string()}, target_, {.max_segments = 3});
        EXPECT_TRUE(before.result);
        EXPECT_EQ(before.bytes_sent, 3 * kSegmentBytes);
    }

    /// Waits until the clock of the file system has advanced.
    void write(std::uint64_t offset, const std::string &bytes) const {
        const auto before = fs::status_of(source_.string())->ctime_ns;
        while (fs::status_of(source_.string())->ctime_ns == before) {
            std::fstream file(source_, std::ios::in | std::ios::out | std::ios::binary);
            file.seekp(static_cast<std::streamoff>(offset));
            file << bytes;
            file.close();
            std::filesystem::last_write_time(source_, mtime_);
        }
    }

    /// Expects that this many bytes are sent, and that the result is right.
    void expect_sent(std::uint64_t bytes) const {
        const auto after = test::transfer({source_.string()}, target_);
        EXPECT_TRUE(after.result);
        EXPECT_TRUE(after.finished);
        EXPECT_EQ(after.bytes_sent, bytes);
        EXPECT_TRUE(test::read_file(target_ / "file") == test::read_file(source_));
    }

    TemporaryFolder folder_;
    std::filesystem::path source_ = folder_ / "file";
    std::filesystem::path target_ = folder_ / "in";
    std::filesystem::file_time_type mtime_;
};

TEST_F(TouchedSource, IsResumedWhenItsDataIsTheSame) {
    write(0, test::read_file(source_).substr(0, 10));
    expect_sent(kSize - 3 * kSegmentBytes);
}

TEST_F(TouchedSource, IsSentAgainWhereItsDataIsAnother) {
    write(kSegmentBytes + kMiB, "other bytes");
    expect_sent(kSize - 2 * kSegmentBytes);
}

TEST_F(TouchedSource, KeepsWhatStandsBehindADifferenceWhenItIsInterruptedAgain) {
    write(kSegmentBytes + kMiB, "other bytes");
    const auto between = test::transfer({source_.string()}, target_, {.max_segments = 1});
    EXPECT_TRUE(between.result);
    EXPECT_EQ(between.bytes_sent, kSegmentBytes);
    expect_sent(kSegmentBytes + kMiB);
}

TEST_F(TouchedSource, IsRestartedWhenAllOfItIsAnother) {
    write(0, test::noise(kSize, 2));
    expect_sent(kSize);
}

} // namespace
} // namespace thru::test
