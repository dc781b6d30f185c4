#include "transfer/range_set.h"

#include <array>
#include <random>

#include <gtest/gtest.h>

namespace thru {
namespace {

TEST(RangeSet, AgreesWithACheckOfEveryByte) {
    std::mt19937 random(7);
    RangeSet set;
    std::array<bool, 64> bytes{};
    for (int round = 0; round < 20'000; ++round) {
        const std::uint64_t begin = random() % bytes.size();
        const std::uint64_t end = begin + 1 + random() % (bytes.size() - begin);
        const bool adds = random() % 2 == 0;
        std::uint64_t there = 0;
        for (std::uint64_t at = begin; at < end; ++at) {
            there += bytes.at(at) ? 1 : 0;
            bytes.at(at) = adds;
        }
        EXPECT_EQ(set.overlaps(begin, end), there > 0);
        if (adds) {
            ASSERT_EQ(set.add(begin, end), end - begin - there);
        } else {
            ASSERT_EQ(set.remove(begin, end), there);
        }
        std::size_t runs = 0;
        std::uint64_t sum = 0;
        for (std::size_t at = 0; at < bytes.size(); ++at) {
            runs += bytes.at(at) && (at == 0 || !bytes.at(at - 1)) ? 1 : 0;
            sum += bytes.at(at) ? 1 : 0;
        }
        ASSERT_EQ(set.count(), runs);
        ASSERT_EQ(set.bytes(), sum);
        ASSERT_EQ(set.empty(), runs == 0);
    }
}

} // namespace
} // namespace thru
