#include "base/natural_order.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace thru {
namespace {

std::vector<std::string> sorted(std::vector<std::string> names, auto order) {
    std::ranges::sort(
        names, [order](const auto &one, const auto &other) { return order(one, other) < 0; });
    return names;
}

TEST(NaturalOrder, TakesNumbersByTheirValueHoweverLong) {
    const std::vector<std::string> names = {"a",
                                            "a1",
                                            "a2",
                                            "a10",
                                            "a99999999999999999998",
                                            "a99999999999999999999",
                                            "a1000000000000000000000",
                                            "b"};
    EXPECT_EQ(sorted({names.rbegin(), names.rend()}, natural_order), names);
    EXPECT_TRUE(natural_order("2.0.10", "2.1.9") < 0);
    EXPECT_TRUE(natural_order("IMG_9.jpg", "img_10.jpg") < 0);
}

TEST(NaturalOrder, TellsNamesApartThatPeopleTakeForTheSame) {
    const std::vector<std::string> names = {"007", "07", "7", "ABC", "Abc", "abc"};
    EXPECT_EQ(sorted({names.rbegin(), names.rend()}, natural_order), names);
    EXPECT_TRUE(natural_order("7", "7") == 0);
}

TEST(NaturalOrder, GoesByCodePointsBehindTheLettersOfAscii) {
    const std::vector<std::string> names = {"", "+", "0", "z", "\xc3\xa9t\xc3\xa9", "\xea\xb0\x80"};
    EXPECT_EQ(sorted({names.rbegin(), names.rend()}, natural_order), names);
}

TEST(NaturalOrder, PutsFoldersInFrontOfFilesWithWhatIsInThem) {
    const std::vector<std::string> paths = {"day 2/a/z",  "day 2/b", "day 10/a", "Day 11/x/1",
                                            "Day 11/x/2", "a",       "b"};
    EXPECT_EQ(sorted({paths.rbegin(), paths.rend()}, natural_path_order), paths);
    EXPECT_TRUE(natural_path_order("a/b", "a") < 0);
    EXPECT_TRUE(natural_path_order("a/b", "a/b") == 0);
}

/// Compares triples, because sorting by an invalid order is undefined.
TEST(NaturalOrder, IsAnOrder) {
    const std::vector<std::string> names = {"",   "0",  "00",  "1",   "01",   "1a",
                                            "1A", "a1", "A01", "a:",  "a",    "a0",
                                            "a/", "/a", "a/b", "A/b", "a/B/c"};
    for (const auto order : {natural_order, natural_path_order}) {
        for (const auto &one : names) {
            for (const auto &two : names) {
                EXPECT_EQ(order(one, two) < 0, order(two, one) > 0) << one << " " << two;
                EXPECT_EQ(order(one, two) == 0, one == two) << one << " " << two;
                for (const auto &three : names) {
                    if (order(one, two) < 0 && order(two, three) < 0) {
                        EXPECT_TRUE(order(one, three) < 0) << one << " " << two << " " << three;
                    }
                }
            }
        }
    }
}

} // namespace
} // namespace thru
