#include "engine/share/unauthenticated_load.h"

#include <gtest/gtest.h>

namespace thru {
namespace {

constexpr Timestamp kStart = 1000 * kSecond;

TEST(UnauthenticatedLoad, AFewThatMistypeAreNoCrowd) {
    UnauthenticatedLoad watch;
    for (Timestamp second = 0; second < 600; second += 6) {
        watch.on_peer(kStart + second * kSecond);
        EXPECT_FALSE(watch.update(kStart + second * kSecond));
    }
    EXPECT_FALSE(watch.high());
    EXPECT_EQ(watch.deadline(), kNever);
}

TEST(UnauthenticatedLoad, ManyAtOnceAreReportedOnceAndSoIsTheirEnd) {
    UnauthenticatedLoad watch;
    for (int knock = 0; knock < 19; ++knock) {
        watch.on_peer(kStart);
    }
    EXPECT_FALSE(watch.update(kStart));
    watch.on_peer(kStart);
    EXPECT_TRUE(watch.update(kStart));
    EXPECT_TRUE(watch.high());
    EXPECT_FALSE(watch.update(kStart + kSecond));
    const auto over = watch.deadline();
    EXPECT_FALSE(watch.update(over - 1));
    EXPECT_TRUE(watch.update(over));
    EXPECT_FALSE(watch.high());
}

TEST(UnauthenticatedLoad, AFloodIsForgottenInMinutes) {
    UnauthenticatedLoad watch;
    for (int knock = 0; knock < 1'000'000; ++knock) {
        watch.on_peer(kStart);
    }
    EXPECT_TRUE(watch.update(kStart));
    EXPECT_LE(watch.deadline(), kStart + 240 * kSecond);
}

} // namespace
} // namespace thru
