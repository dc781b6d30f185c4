#include "base/rate_limiter.h"

#include <algorithm>
#include <array>
#include <deque>
#include <random>

#include <gtest/gtest.h>

namespace thru {
namespace {

constexpr std::array<std::uint64_t, 8> kRates = {
    1'000, 33'333, 200'000, 5'000'000, 123'456'789, 200'000'000, 1'250'000'000, 10'000'000'000};

std::uint64_t burst_of(std::uint64_t rate) {
    return std::max<std::uint64_t>(rate / 50, 2 * RateLimiter::kDatagramBytes);
}

/// Sends datagrams for as long as the limiter allows; returns the bytes sent.
std::uint64_t drain(RateLimiter &limiter, Timestamp now, std::uint64_t datagram) {
    std::uint64_t sent = 0;
    // At high rates, sending single datagrams would take minutes.
    while (const auto allowed = limiter.allowed(now)) {
        const auto size = std::max(datagram, allowed / datagram * datagram);
        limiter.spend(size, now);
        sent += size;
    }
    return sent;
}

TEST(RateLimiter, WithoutARateEverythingMayGoNow) {
    RateLimiter limiter;
    EXPECT_EQ(limiter.allowed(kSecond), kUnlimited);
    limiter.spend(1 << 30, kSecond);
    EXPECT_EQ(limiter.allowed(kSecond), kUnlimited);
    EXPECT_EQ(limiter.next(kSecond), kSecond);
}

TEST(RateLimiter, IsExactOverTimeWhenAskedAtTheTimesItNames) {
    for (const auto rate : kRates) {
        RateLimiter limiter;
        limiter.set_rate(rate);
        const auto begun = 5 * kSecond;
        // Makes the burst less than a hundredth of the total.
        const auto end = begun + (rate < 200'000 ? 1000 : 10) * kSecond;
        std::uint64_t sent = 0;
        for (auto now = begun; now < end; now = std::max(limiter.next(now), now + 1)) {
            sent += drain(limiter, now, 1419);
        }
        const auto due = static_cast<double>(rate) * static_cast<double>(end - begun) / 1e9;
        EXPECT_NEAR(static_cast<double>(sent), due, due / 100) << rate;
    }
}

TEST(RateLimiter, IsExactOverTimeWhenAskedAtOddTimes) {
    for (const auto rate : kRates) {
        RateLimiter limiter;
        limiter.set_rate(rate);
        std::mt19937_64 random(rate);
        // The bucket never fills up between two datagrams.
        std::uniform_int_distribution<Timestamp> pause(1, 17 * kMillisecond);
        auto now = kSecond;
        std::uint64_t sent = drain(limiter, now, 1419);
        const auto end = now + (rate < 200'000 ? 1000 : 100) * kSecond;
        while (now < end) {
            now += pause(random);
            sent += drain(limiter, now, 1419);
        }
        const auto due = static_cast<double>(rate) * static_cast<double>(now - kSecond) / 1e9;
        EXPECT_NEAR(static_cast<double>(sent), due, due / 100) << rate;
    }
}

TEST(RateLimiter, CountsSingleBytesAsExactlyAsDatagrams) {
    RateLimiter limiter;
    limiter.set_rate(999'999'937);
    std::uint64_t sent = 0;
    limiter.allowed(kSecond);
    const auto end = kSecond + kMillisecond;
    for (auto now = kSecond; now < end; ++now) {
        for (; limiter.allowed(now) > 0; ++sent) {
            limiter.spend(1, now);
        }
    }
    EXPECT_NEAR(static_cast<double>(sent), 1e6, 2);
}

TEST(RateLimiter, NeverLetsMoreGoThanTheBurstAfterAnyPause) {
    for (const auto rate : kRates) {
        for (const auto pause : {kMillisecond, 30 * kMillisecond, 3600 * kSecond, kNever / 2}) {
            RateLimiter limiter;
            limiter.set_rate(rate);
            limiter.allowed(kSecond);
            EXPECT_LE(limiter.allowed(kSecond + pause), burst_of(rate)) << rate << " " << pause;
        }
    }
}

TEST(RateLimiter, ALateCallFindsTheWholeBurst) {
    for (const auto rate : kRates) {
        RateLimiter limiter;
        limiter.set_rate(rate);
        limiter.allowed(kSecond);
        EXPECT_EQ(limiter.allowed(100 * kSecond), burst_of(rate)) << rate;
    }
}

TEST(RateLimiter, BeginsWithNothingSaved) {
    RateLimiter limiter;
    limiter.set_rate(10'000'000);
    EXPECT_EQ(limiter.allowed(3600 * kSecond), 0U);
}

TEST(RateLimiter, NamesTheTimeWhenADatagramMayGo) {
    for (const auto rate : kRates) {
        RateLimiter limiter;
        limiter.set_rate(rate);
        const auto next = limiter.next(kSecond);
        EXPECT_GE(limiter.allowed(next), RateLimiter::kDatagramBytes) << rate;
        EXPECT_LE(limiter.next(next), next);
        EXPECT_LE(next, kSecond + std::max(kMillisecond, 1452 * kSecond / rate) + 1) << rate;
    }
}

TEST(RateLimiter, WhatGoesOverIsPaidBackFirst) {
    RateLimiter limiter;
    limiter.set_rate(1'000'000);
    limiter.allowed(kSecond);
    limiter.spend(50'000, kSecond);
    EXPECT_EQ(limiter.allowed(kSecond + 50 * kMillisecond), 0U);
    EXPECT_EQ(limiter.allowed(kSecond + 51 * kMillisecond), 1000U);
}

TEST(RateLimiter, AHigherRateIsNoBurst) {
    RateLimiter limiter;
    limiter.set_rate(1'000);
    limiter.allowed(kSecond);
    const auto later = 3600 * kSecond;
    limiter.set_rate(10'000'000'000);
    EXPECT_LE(limiter.allowed(later), 2 * RateLimiter::kDatagramBytes);
    EXPECT_NEAR(static_cast<double>(limiter.allowed(later + kMillisecond)), 1e7, 3000);
}

TEST(RateLimiter, ALowerRateKeepsNoMoreThanItsOwnBurst) {
    RateLimiter limiter;
    limiter.set_rate(10'000'000'000);
    limiter.allowed(kSecond);
    limiter.allowed(2 * kSecond);
    limiter.set_rate(1'000);
    EXPECT_EQ(limiter.allowed(2 * kSecond), 2 * RateLimiter::kDatagramBytes);
}

TEST(RateLimiter, SettingTheSameRateAgainChangesNothing) {
    RateLimiter limiter;
    limiter.set_rate(1'000'000);
    limiter.allowed(kSecond);
    for (int call = 1; call <= 100; ++call) {
        limiter.set_rate(1'000'000);
    }
    EXPECT_EQ(limiter.allowed(kSecond + 10 * kMillisecond), 10'000U);
}

TEST(RateLimiter, TakingTheLimitAwayFreesAtOnceAndForgetsDebt) {
    RateLimiter limiter;
    limiter.set_rate(1'000);
    limiter.allowed(kSecond);
    limiter.spend(1 << 20, kSecond);
    limiter.set_rate(0);
    EXPECT_EQ(limiter.allowed(kSecond), kUnlimited);
    limiter.set_rate(1'000);
    limiter.allowed(kSecond);
    EXPECT_EQ(limiter.allowed(2 * kSecond), 1'000U);
}

TEST(RateLimiter, TimeThatStandsStillOrGoesBackGivesNothing) {
    RateLimiter limiter;
    limiter.set_rate(1'000'000);
    limiter.allowed(2 * kSecond);
    EXPECT_EQ(limiter.allowed(2 * kSecond), 0U);
    EXPECT_EQ(limiter.allowed(kSecond), 0U);
    EXPECT_EQ(limiter.allowed(2 * kSecond + kMillisecond), 1'000U);
}

TEST(RateLimiter, AbsurdRatesAndAmountsDoNotOverflow) {
    RateLimiter limiter;
    limiter.set_rate(kUnlimited);
    limiter.allowed(0);
    EXPECT_EQ(limiter.allowed(kNever), 2'000'000'000U);
    for (int call = 0; call < 10; ++call) {
        limiter.spend(kUnlimited, kNever);
    }
    EXPECT_EQ(limiter.allowed(kNever), 0U);
    limiter.set_rate(1);
    EXPECT_EQ(limiter.allowed(kSecond), 0U);
    EXPECT_GT(limiter.next(kSecond), kSecond);
}

/// Sends all allowed bytes in datagrams.
std::uint64_t take(RateShare &share, Timestamp now, std::uint64_t datagram) {
    std::uint64_t sent = 0;
    for (auto left = share.allowed(now); left > 0; left -= std::min(left, datagram)) {
        sent += datagram;
    }
    share.spend(sent, now);
    return sent;
}

TEST(RateShare, ThoseWhoWantToSendGetEqualPartsWhoeverIsAskedFirst) {
    for (const std::uint64_t rate : {2'000U, 200'000U, 5'000'000U, 200'000'000U}) {
        RateLimiter limiter;
        limiter.set_rate(rate);
        RateShare first(limiter);
        RateShare second(limiter);
        RateShare third(limiter);
        std::array<std::uint64_t, 3> sent{};
        const auto end = (rate < 100'000 ? 1001 : 11) * kSecond;
        auto next = kSecond;
        for (auto now = kSecond; now < end; now = std::max(next, now + 1)) {
            // The first share is used twice per turn; datagram sizes differ.
            sent[0] += take(first, now, 1419);
            sent[0] += take(first, now, 1419);
            sent[1] += take(second, now, 1200);
            sent[2] += take(third, now, 1499);
            next = std::min({first.next(now), second.next(now), third.next(now)});
        }
        const auto due = static_cast<double>(rate) * static_cast<double>(end - kSecond) / 1e9;
        for (const auto part : sent) {
            EXPECT_NEAR(static_cast<double>(part), due / 3, due / 100) << rate;
        }
    }
}

TEST(RateShare, WhatOneDoesNotUseGoesToTheOthersEvenly) {
    RateLimiter limiter;
    limiter.set_rate(10'000'000);
    RateShare little(limiter);
    RateShare first(limiter);
    RateShare second(limiter);
    std::array<std::uint64_t, 3> sent{};
    for (auto now = kSecond; now < 11 * kSecond; now += kMillisecond) {
        sent[0] += take(first, now, 1400);
        sent[1] += take(second, now, 1400);
        // At most 1,000 bytes per millisecond.
        if (little.allowed(now) > 0) {
            little.spend(1000, now);
            sent[2] += 1000;
        }
    }
    EXPECT_NEAR(static_cast<double>(sent[0]), 45e6, 5e5);
    EXPECT_NEAR(static_cast<double>(sent[1]), 45e6, 5e5);
    EXPECT_NEAR(static_cast<double>(sent[2]), 10e6, 1e5);
}

TEST(RateShare, OneWithDataNowAndThenIsServedAtOnce) {
    RateLimiter limiter;
    limiter.set_rate(10'000'000);
    RateShare greedy(limiter);
    RateShare paced(limiter);
    for (auto now = kSecond; now < 2 * kSecond; now += kMillisecond) {
        take(greedy, now, 1400);
        const auto allowed = paced.allowed(now);
        if (now > kSecond + 10 * kMillisecond && now % (5 * kMillisecond) == 0) {
            EXPECT_GE(allowed, 20'000U);
            paced.spend(20'000, now);
        }
    }
}

TEST(RateShare, OneThatLeavesLeavesItsPartToTheOthers) {
    RateLimiter limiter;
    limiter.set_rate(1'000'000);
    RateShare stays(limiter);
    std::uint64_t sent = 0;
    {
        RateShare goes(limiter);
        for (auto now = kSecond; now < 2 * kSecond; now += kMillisecond) {
            sent += take(stays, now, 1400);
            take(goes, now, 1400);
        }
        EXPECT_NEAR(static_cast<double>(sent), 5e5, 2e4);
    }
    sent = 0;
    for (auto now = 2 * kSecond; now < 3 * kSecond; now += kMillisecond) {
        sent += take(stays, now, 1400);
    }
    EXPECT_NEAR(static_cast<double>(sent), 1e6, 2e4);
}

TEST(RateShare, ManyThatNoLongerAskDoNotSlowOneThatDoes) {
    for (const std::uint64_t rate : {200'000U, 50'000'000U}) {
        RateLimiter limiter;
        limiter.set_rate(rate);
        std::deque<RateShare> silent;
        for (int index = 0; index < 100; ++index) {
            silent.emplace_back(limiter).allowed(kSecond);
        }
        RateShare asks(limiter);
        std::uint64_t sent = 0;
        for (auto now = kSecond; now < 7 * kSecond; now += kMillisecond) {
            // Skips the start, when the silent shares save up.
            const auto taken = take(asks, now, 1400);
            sent += now < 3 * kSecond ? 0 : taken;
        }
        const auto due = static_cast<double>(rate) * 4;
        EXPECT_NEAR(static_cast<double>(sent), due, due / 50) << rate;
    }
}

TEST(RateShare, AllTogetherSendNoMoreThanTheBurstAtOnce) {
    RateLimiter limiter;
    limiter.set_rate(10'000'000);
    std::deque<RateShare> shares;
    for (int index = 0; index < 50; ++index) {
        shares.emplace_back(limiter).allowed(kSecond);
    }
    std::uint64_t sent = 0;
    for (auto &share : shares) {
        sent += take(share, 100 * kSecond, 1400);
    }
    EXPECT_LE(sent, 200'000U + 1400U);
    EXPECT_GE(sent, 200'000U - 1400U);
}

TEST(RateShare, LeavingAndComingBackDoesNotPayADebt) {
    RateLimiter limiter;
    limiter.set_rate(1'000'000);
    RateShare stays(limiter);
    RateShare comes_and_goes(limiter);
    std::array<std::uint64_t, 2> sent{};
    for (auto now = kSecond; now < 5 * kSecond; now += kMillisecond) {
        sent[0] += take(comes_and_goes, now, 1400);
        comes_and_goes.leave();
        comes_and_goes.allowed(now);
        sent[1] += take(stays, now, 1400);
    }
    EXPECT_NEAR(static_cast<double>(sent[0]), 2e6, 2e5);
    EXPECT_NEAR(static_cast<double>(sent[0] + sent[1]), 4e6, 4e4);
}

TEST(RateShare, ALimitThatIsTakenAwayAndSetAgainStartsAfresh) {
    RateLimiter limiter;
    limiter.set_rate(1'000);
    RateShare first(limiter);
    RateShare second(limiter);
    first.allowed(kSecond);
    first.spend(100'000, kSecond);
    EXPECT_EQ(second.allowed(kSecond), 0U);
    limiter.set_rate(0);
    EXPECT_EQ(first.allowed(kSecond), kUnlimited);
    EXPECT_EQ(second.allowed(kSecond), kUnlimited);
    limiter.set_rate(1'000'000);
    EXPECT_EQ(first.allowed(kSecond), 0U);
    EXPECT_NEAR(static_cast<double>(first.allowed(kSecond + 10 * kMillisecond)), 5e3, 10);
}

} // namespace
} // namespace thru
