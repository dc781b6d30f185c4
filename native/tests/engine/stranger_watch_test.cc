#include "engine/stranger_watch.h"

#include <gtest/gtest.h>

namespace thru {
namespace {

constexpr Timestamp kStart = 1000 * kSecond;

TEST(StrangerWatch, AFewThatMistypeAreNoCrowd) {
    StrangerWatch watch;
    for (Timestamp second = 0; second < 600; second += 6) {
        watch.knocked(kStart + second * kSecond);
        EXPECT_FALSE(watch.look(kStart + second * kSecond));
    }
    EXPECT_FALSE(watch.many());
    EXPECT_EQ(watch.deadline(), kNever);
}

TEST(StrangerWatch, ManyAtOnceAreToldOnceAndTheirEndToo) {
    StrangerWatch watch;
    for (int knock = 0; knock < 19; ++knock) {
        watch.knocked(kStart);
    }
    EXPECT_FALSE(watch.look(kStart));
    watch.knocked(kStart);
    EXPECT_TRUE(watch.look(kStart));
    EXPECT_TRUE(watch.many());
    EXPECT_FALSE(watch.look(kStart + kSecond));
    const auto over = watch.deadline();
    EXPECT_FALSE(watch.look(over - 1));
    EXPECT_TRUE(watch.look(over));
    EXPECT_FALSE(watch.many());
}

TEST(StrangerWatch, AFloodIsForgottenInMinutes) {
    StrangerWatch watch;
    for (int knock = 0; knock < 1'000'000; ++knock) {
        watch.knocked(kStart);
    }
    EXPECT_TRUE(watch.look(kStart));
    EXPECT_LE(watch.deadline(), kStart + 240 * kSecond);
}

} // namespace
} // namespace thru
