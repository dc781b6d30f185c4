#include "base/rate_limiter.h"

#include <algorithm>

namespace thru {

namespace {

constexpr Timestamp kBurst = 20 * kMillisecond;
constexpr Timestamp kVisit = kMillisecond;
constexpr std::uint64_t kBurstDatagrams = 2;
/// A burst at this rate, and the largest debt beside it, fit the 63 bits of a credit.
constexpr std::uint64_t kMostRate = 100'000'000'000;
constexpr std::uint64_t kMostDebtBytes = 4'000'000'000;
constexpr auto kByte = static_cast<std::int64_t>(kSecond);
constexpr std::int64_t kMostDebt = static_cast<std::int64_t>(kMostDebtBytes) * kByte;
/// One that does not ask for so long, though there is all it waits for, must not stop the others.
constexpr Timestamp kAbsent = 100 * kMillisecond;

} // namespace

void RateLimiter::set_rate(std::uint64_t bytes_per_second) {
    const auto rate = std::min(bytes_per_second, kMostRate);
    if (rate == rate_) {
        return;
    }
    rate_ = rate;
    // The time since the last call belongs to the old rate: counted at the new one it could be a
    // burst.
    updated_.reset();
    credit_ = rate_ == 0 ? 0 : std::min(credit_, burst());
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
    const auto cost = static_cast<Credit>(std::min(bytes, kMostDebtBytes)) * kByte;
    credit_ = std::max(credit_ - cost, -kMostDebt);
}

Timestamp RateLimiter::next(Timestamp now) {
    if (rate_ == 0) {
        return now;
    }
    refill(now);
    const auto missing = static_cast<Credit>(quantum()) * kByte - credit_;
    if (missing <= 0) {
        return now;
    }
    return now + (static_cast<std::uint64_t>(missing) + rate_ - 1) / rate_;
}

void RateLimiter::refill(Timestamp now) {
    const auto since = updated_.value_or(now);
    if (now < since) {
        return;
    }
    updated_ = now;
    const auto missing = static_cast<std::uint64_t>(burst() - credit_);
    const auto elapsed = now - since;
    // Compared by division: a long time multiplied by the rate does not fit.
    credit_ = elapsed > missing / rate_ ? burst() : credit_ + static_cast<Credit>(elapsed * rate_);
}

RateLimiter::Credit RateLimiter::burst() const {
    return std::max(static_cast<Credit>(rate_ * kBurst),
                    static_cast<Credit>(kBurstDatagrams * kDatagramBytes) * kByte);
}

std::uint64_t RateLimiter::quantum() const {
    return std::max(kDatagramBytes, rate_ / (kSecond / kVisit));
}

void RateLimiter::begin_turn() {
    while (!waiting_.empty()) {
        auto *first = waiting_.front();
        first->turn_ = std::min<std::int64_t>(first->turn_, 0) + static_cast<Credit>(quantum());
        if (first->turn_ > 0) {
            return;
        }
        waiting_.pop_front();
        waiting_.push_back(first);
    }
}

std::uint64_t RateShare::allowed(Timestamp now) {
    const auto credit = limiter_.allowed(now);
    asked_ = now;
    auto &waiting = limiter_.waiting_;
    if (credit == kUnlimited) {
        leave();
        return credit;
    }
    if (limiter_.credit_ == limiter_.burst() && !waiting.empty() &&
        now > waiting.front()->asked_ + kAbsent) {
        waiting.front()->leave();
    }
    if (waiting.empty() || (has_turn() && waiting.size() == 1)) {
        return credit;
    }
    wait();
    return has_turn() ? std::min(credit, static_cast<std::uint64_t>(turn_)) : 0;
}

void RateShare::spend(std::uint64_t bytes, Timestamp now) {
    limiter_.spend(bytes, now);
    auto &waiting = limiter_.waiting_;
    if (waiting.size() < 2 || !has_turn()) {
        return;
    }
    const auto turn = static_cast<std::int64_t>(limiter_.quantum());
    turn_ = std::max(turn_ - static_cast<std::int64_t>(std::min(bytes, kMostDebtBytes)), -turn);
    if (turn_ <= 0) {
        waiting.pop_front();
        waiting.push_back(this);
        limiter_.begin_turn();
    }
}

void RateShare::wait() {
    if (waits()) {
        return;
    }
    limiter_.waiting_.push_back(this);
    if (has_turn()) {
        limiter_.begin_turn();
    }
}

void RateShare::leave() {
    if (!waits()) {
        return;
    }
    const bool had_turn = has_turn();
    std::erase(limiter_.waiting_, this);
    if (had_turn) {
        limiter_.begin_turn();
    }
}

bool RateShare::waits() const {
    return std::ranges::find(limiter_.waiting_, this) != limiter_.waiting_.end();
}

} // namespace thru
