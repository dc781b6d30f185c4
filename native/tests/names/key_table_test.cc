#include "names/key_table.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

namespace thru {
namespace {

TEST(KeyTable, HoldsWhatASetHoldsThroughEveryInsertAndErase) {
    // Few different first slots, including the last ones: long probes that wrap around the end.
    std::mt19937_64 random(7);
    const auto key = [&] {
        const std::uint64_t upper = 0xFFFF'FFFF - random() % 4 * 0x0100'0000;
        return upper << 32 | (random() % 100 + 1);
    };
    KeyTable table;
    std::set<std::uint64_t> expected;
    for (int step = 0; step < 20'000; ++step) {
        const std::uint64_t one = key();
        if (random() % 2 == 0) {
            if (expected.insert(one).second) {
                table.insert(one);
            }
        } else {
            expected.erase(one);
            table.erase(one);
        }
        const std::uint64_t asked = key();
        ASSERT_EQ(table.contains(asked), expected.contains(asked));
    }
    for (const std::uint64_t one : expected) {
        EXPECT_TRUE(table.contains(one));
    }
}

TEST(KeyTable, FindsByTheUpperHalfAndWhatTheCallerKnows) {
    KeyTable table;
    EXPECT_EQ(table.find(5, [](std::uint64_t) { return true; }), 0u);
    table.insert(std::uint64_t{5} << 32 | 1);
    table.insert(std::uint64_t{5} << 32 | 2);
    table.insert(std::uint64_t{6} << 32 | 3);
    const auto lower_is = [](std::uint64_t lower) {
        return [lower](std::uint64_t key) { return (key & 0xFFFF'FFFF) == lower; };
    };
    EXPECT_EQ(table.find(5, lower_is(2)), std::uint64_t{5} << 32 | 2);
    EXPECT_EQ(table.find(5, lower_is(3)), 0u);
}

} // namespace
} // namespace thru
