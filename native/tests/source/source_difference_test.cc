#include "source/source_difference.h"

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "source/share.h"

namespace thru::test {
namespace {

class SourceDifference : public testing::Test {
protected:
    SourceDifference() {
        for (const char *name : {"top/a", "top/b", "top/sub/c"}) {
            write_file(folder / name, "1");
            test::make_old(folder / name);
        }
    }

    Share scanned() const { return Share({(folder / "top").string()}); }
    static Difference between(const Share &before, const Share &now,
                              const IndexRanges &removed = {}) {
        return difference_of(*before.files, before.manifest->size(), removed, *now.files,
                             now.manifest->size());
    }

    const TemporaryFolder folder;
};

TEST_F(SourceDifference, IsNoneWithoutAChange) {
    EXPECT_EQ(between(scanned(), scanned()), Difference::None);
}

TEST_F(SourceDifference, FindsNewMissingAndChangedFiles) {
    const auto before = scanned();
    write_file(folder / "top/sub/d", "1");
    const auto more = scanned();
    EXPECT_EQ(between(before, more), Difference::Entries);
    EXPECT_EQ(between(more, before), Difference::Entries);
    write_file(folder / "top/sub/d", "12");
    EXPECT_EQ(between(more, scanned()), Difference::Entries);
}

TEST_F(SourceDifference, FindsAnotherFileWithTheSameSizeAndTime) {
    const auto before = scanned();
    const auto time = std::filesystem::last_write_time(folder / "top/a");
    write_file(folder / "new", "2");
    std::filesystem::rename(folder / "new", folder / "top/a");
    std::filesystem::last_write_time(folder / "top/a", time);
    EXPECT_NE(between(before, scanned()), Difference::None);
}

TEST_F(SourceDifference, IgnoresWhatWasRemovedFromTheShare) {
    const auto one = Share({(folder / "top/a").string()});
    const auto two = Share({(folder / "top/b").string(), (folder / "top/a").string()});
    EXPECT_EQ(between(two, one), Difference::Entries);
    EXPECT_EQ(between(two, one, {{.first = 0, .count = 1}}), Difference::None);
}

} // namespace
} // namespace thru::test
