#include "base/rate_limiter.h"

#include <algorithm>

namespace thru {

namespace {

constexpr Timestamp kBurst = 20 * kMillisecond;
constexpr Timestamp kVisit = kMillisecond;
constexpr std::uint64_t kBurstDatagrams = 2;
/// At this rate a burst and the largest debt fit the 63 bits of a credit.
constexpr std::uint64_t kMaxRate = 100'000'000'000;
constexpr std::uint64_t kMaxDebtBytes = 4'000'000'000;
constexpr auto kByte = static_cast<std::int64_t>(kSecond);
constexpr std::int64_t kMaxDebt = static_cast<std::int64_t>(kMaxDebtBytes) * kByte;

} // namespace

void RateLimiter::set_rate(std::uint64_t bytes_per_second) {
    const auto rate = std::min(bytes_per_second, kMaxRate);
    if (rate == rate_) {
        return;
    }
    rate_ = rate;
    // The time since the last call belongs to the old rate; the new one could make it a burst.
    updated_.reset();
    credit_ = rate_ == 0 ? 0 : std::min(credit_, burst());
    shared_ = 0;
    for (auto *share : shares_) {
        share->credit_ = rate_ == 0 ? 0 : std::min(share->credit_, part());
        shared_ += share->credit_;
    }
}

std::uint64_t RateLimiter::allowed(Timestamp now) {
    if (rate_ == 0) {
        return kUnlimited;
    }
    refill(now);
    return static_cast<std::uint64_t>(std::max<Credit>(credit_, 0) / kByte);
}

void RateLimiter::spend(std::uint64_t bytes, Timestamp now) {
    if (rate_ == 0) {
        return;
    }
    refill(now);
    const auto cost = static_cast<Credit>(std::min(bytes, kMaxDebtBytes)) * kByte;
    credit_ = std::max(credit_ - cost, -kMaxDebt);
}

Timestamp RateLimiter::next(Timestamp now) {
    if (rate_ == 0) {
        return now;
    }
    refill(now);
    return after(now, quantum() - credit_, 1);
}

Timestamp RateLimiter::after(Timestamp now, Credit missing, std::uint64_t among) const {
    if (missing <= 0) {
        return now;
    }
    // Rounded up; otherwise the caller arrives slightly early and has to return.
    return now + (static_cast<std::uint64_t>(missing) / rate_ + 1) * among;
}

void RateLimiter::refill(Timestamp now) {
    const auto since = updated_.value_or(now);
    updated_ = std::max(now, since);
    if (now <= since) {
        return;
    }
    // The burst may have shrunk when a share left.
    const auto missing = static_cast<std::uint64_t>(std::max<Credit>(burst() - credit_, 0));
    const auto elapsed = now - since;
    // Compared by division, because a long time multiplied by the rate overflows.
    credit_ = elapsed > missing / rate_ ? burst() : credit_ + static_cast<Credit>(elapsed * rate_);
    distribute();
}

void RateLimiter::distribute() {
    while (!shares_.empty()) {
        const auto limit = part();
        const auto hungry = std::ranges::count_if(
            shares_, [&](const RateShare *share) { return share->credit_ < limit; });
        const auto each = hungry > 0 ? (credit_ - shared_) / hungry : 0;
        if (each <= 0) {
            return;
        }
        for (auto *share : shares_) {
            const auto given = std::clamp<Credit>(limit - share->credit_, 0, each);
            share->credit_ += given;
            shared_ += given;
        }
    }
}

RateLimiter::Credit RateLimiter::burst() const {
    const auto datagrams = kBurstDatagrams * std::max<std::size_t>(shares_.size(), 1);
    return std::max(static_cast<Credit>(rate_ * kBurst),
                    static_cast<Credit>(datagrams * kDatagramBytes) * kByte);
}

RateLimiter::Credit RateLimiter::quantum() const {
    return std::max(static_cast<Credit>(rate_ * kVisit),
                    static_cast<Credit>(kDatagramBytes) * kByte);
}

std::uint64_t RateShare::allowed(Timestamp now) {
    if (limiter_.rate_ == 0) {
        return kUnlimited;
    }
    if (!joined()) {
        limiter_.shares_.push_back(this);
        limiter_.shared_ += credit_;
    }
    limiter_.refill(now);
    const auto free = std::max<RateLimiter::Credit>(limiter_.credit_ - limiter_.shared_, 0);
    const auto mine = std::min(limiter_.credit_, credit_ + free);
    return static_cast<std::uint64_t>(std::max<RateLimiter::Credit>(mine, 0) / kByte);
}

void RateShare::spend(std::uint64_t bytes, Timestamp now) {
    if (bytes == 0 || limiter_.rate_ == 0) {
        return;
    }
    limiter_.refill(now);
    const auto before = limiter_.credit_;
    // The share spends its own tokens first, then the unclaimed ones; the rest is debt.
    const auto free = std::max<RateLimiter::Credit>(before - limiter_.shared_, 0);
    limiter_.spend(bytes, now);
    const auto cost = before - limiter_.credit_;
    const auto own = std::max<RateLimiter::Credit>(credit_, 0);
    const auto charged = cost - std::clamp<RateLimiter::Credit>(cost - own, 0, free);
    credit_ -= charged;
    if (joined()) {
        limiter_.shared_ -= charged;
    }
}

Timestamp RateShare::next(Timestamp now) {
    if (limiter_.rate_ == 0 || !joined()) {
        return now;
    }
    limiter_.refill(now);
    const auto part = limiter_.part();
    const auto hungry = std::ranges::count_if(
        limiter_.shares_, [&](const RateShare *share) { return share->credit_ < part; });
    const auto enough = std::min(limiter_.quantum(), part / 2);
    return std::max(limiter_.after(now, kByte - limiter_.credit_, 1),
                    limiter_.after(now, enough - credit_, static_cast<std::uint64_t>(hungry)));
}

void RateShare::leave() {
    if (!joined()) {
        return;
    }
    std::erase(limiter_.shares_, this);
    limiter_.shared_ -= credit_;
    // Its savings go to the others; its debt is kept for its return.
    credit_ = std::min<RateLimiter::Credit>(credit_, 0);
}

bool RateShare::joined() const {
    return std::ranges::find(limiter_.shares_, this) != limiter_.shares_.end();
}

} // namespace thru
