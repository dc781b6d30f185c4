#include "engine/share/stranger_watch.h"

#include <gtest/gtest.h>

namespace thru {
namespace {

constexpr Timestamp kStart = 1000 * kSecond;

TEST(StrangerWatch, AFewThatMistypeAreNoCrowd) {
    StrangerWatch watch;
    for (Timestamp second = 0; second < 600; second += 6) {
        watch.on_stranger(kStart + second * kSecond);
        EXPECT_FALSE(watch.update(kStart + second * kSecond));
    }
    EXPECT_FALSE(watch.many());
    EXPECT_EQ(watch.deadline(), kNever);
}

TEST(StrangerWatch, ManyAtOnceAreReportedOnceAndSoIsTheirEnd) {
    StrangerWatch watch;
    for (int knock = 0; knock < 19; ++knock) {
        watch.on_stranger(kStart);
    }
    EXPECT_FALSE(watch.update(kStart));
    watch.on_stranger(kStart);
    EXPECT_TRUE(watch.update(kStart));
    EXPECT_TRUE(watch.many());
    EXPECT_FALSE(watch.update(kStart + kSecond));
    const auto over = watch.deadline();
    EXPECT_FALSE(watch.update(over - 1));
    EXPECT_TRUE(watch.update(over));
    EXPECT_FALSE(watch.many());
}

TEST(StrangerWatch, AFloodIsForgottenInMinutes) {
    StrangerWatch watch;
    for (int knock = 0; knock < 1'000'000; ++knock) {
        watch.on_stranger(kStart);
    }
    EXPECT_TRUE(watch.update(kStart));
    EXPECT_LE(watch.deadline(), kStart + 240 * kSecond);
}

} // namespace
} // namespace thru
