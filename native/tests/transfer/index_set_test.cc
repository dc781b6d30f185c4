#include "transfer/index_set.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

namespace thru {
namespace {

TEST(IndexSet, FindsItsLeastLikeAnOrderedSet) {
    std::mt19937_64 random{7};
    IndexSet set;
    std::set<std::uint64_t> expected;
    for (int step = 0; step < 20'000; ++step) {
        const auto index = random() % (step % 2 == 0 ? kMaxManifestEntries : 200);
        if (random() % 3 > 0) {
            set.insert(index);
            expected.insert(index);
        } else if (!expected.empty()) {
            set.erase(*expected.begin());
            expected.erase(expected.begin());
        }
        ASSERT_EQ(set.empty(), expected.empty());
        if (!expected.empty()) {
            ASSERT_EQ(set.first(), *expected.begin());
        }
    }
}

TEST(IndexSet, HoldsTheLastIndex) {
    IndexSet set;
    EXPECT_TRUE(set.empty());
    set.insert(kMaxManifestEntries - 1);
    EXPECT_EQ(set.first(), kMaxManifestEntries - 1);
    set.erase(kMaxManifestEntries - 1);
    EXPECT_TRUE(set.empty());
}

} // namespace
} // namespace thru
