// Names that APFS can't hold: not UTF-8, or different only in composition.
#include "source/tree_scan.h"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "source/share.h"

namespace thru {
namespace {

TEST(TreeScan, OffersEveryNameThatThisSystemHolds) {
    const test::TemporaryFolder folder;
    test::write_file(folder / "top/bad\xff", "1");
    test::write_file(folder / "top/line\nbreak", "1");
    test::write_file(folder / "top/back\\slash", "1");
    test::write_file(folder / "top/folder\xc0\xae/inside", "1");
    test::write_file(folder / "top/caf\u00e9", "1");
    test::write_file(folder / "top/cafe\u0301", "1");
    const test::Share share({(folder / "top").string()});
    EXPECT_EQ(share.problem_codes(), (std::map<std::string, ErrorCode>{}));
    EXPECT_EQ(share.sorted_paths(),
              (std::vector<std::string>{"top", "top/back\\slash", "top/bad\xff", "top/cafe\u0301",
                                        "top/caf\u00e9", "top/folder\xc0\xae",
                                        "top/folder\xc0\xae/inside", "top/line\nbreak"}));
}

} // namespace
} // namespace thru
