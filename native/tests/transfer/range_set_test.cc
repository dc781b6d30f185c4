#include "transfer/range_set.h"

#include <array>
#include <random>

#include <gtest/gtest.h>

namespace thru {
namespace {

TEST(RangeSet, MergesNeighbours) {
    RangeSet set;
    EXPECT_TRUE(set.add(10, 20));
    EXPECT_TRUE(set.add(30, 40));
    EXPECT_EQ(set.count(), 2u);
    EXPECT_TRUE(set.add(20, 30));
    EXPECT_EQ(set.count(), 1u);
    EXPECT_TRUE(set.add(0, 10));
    EXPECT_EQ(set.count(), 1u);
}

TEST(RangeSet, RefusesEveryKindOfOverlap) {
    RangeSet set;
    EXPECT_TRUE(set.add(10, 20));
    EXPECT_FALSE(set.add(10, 20));
    EXPECT_FALSE(set.add(0, 11));
    EXPECT_FALSE(set.add(19, 30));
    EXPECT_FALSE(set.add(12, 13));
    EXPECT_FALSE(set.add(0, 100));
    EXPECT_TRUE(set.add(20, 21));
}

TEST(RangeSet, AgreesWithACheckOfEveryByte) {
    std::mt19937 random(7);
    RangeSet set;
    std::array<bool, 64> bytes{};
    for (int round = 0; round < 20'000; ++round) {
        std::uint64_t begin = random() % bytes.size();
        std::uint64_t end = begin + 1 + random() % (bytes.size() - begin);
        bool all = true;
        bool any = false;
        for (std::uint64_t at = begin; at < end; ++at) {
            all = all && bytes.at(at);
            any = any || bytes.at(at);
        }
        if (all) {
            set.remove(begin, end);
        } else {
            ASSERT_EQ(set.add(begin, end), !any);
        }
        for (std::uint64_t at = begin; at < end && (all || !any); ++at) {
            bytes.at(at) = !all;
        }
        std::size_t runs = 0;
        for (std::size_t at = 0; at < bytes.size(); ++at) {
            runs += bytes.at(at) && (at == 0 || !bytes.at(at - 1)) ? 1 : 0;
        }
        ASSERT_EQ(set.count(), runs);
        ASSERT_EQ(set.empty(), runs == 0);
    }
}

} // namespace
} // namespace thru
