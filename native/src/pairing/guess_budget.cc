#include "pairing/guess_budget.h"

#include <algorithm>

namespace thru {

namespace {

constexpr std::size_t kBurst = 10;
constexpr Timestamp kInterval = 2 * kSecond;
constexpr std::size_t kWrongWithoutDelay = 5;
constexpr Timestamp kMaxDelay = 30 * kSecond;

/// The pause between two runs because of wrong tags.
Timestamp delay_after(std::size_t wrong) {
    if (wrong < kWrongWithoutDelay) {
        return 0;
    }
    const auto doublings = std::min<std::size_t>(wrong - kWrongWithoutDelay, 5);
    return std::min(kSecond << doublings, kMaxDelay);
}

} // namespace

Timestamp GuessBudget::next_run(Timestamp now) const {
    if (locked() || unproven_ >= kMaxUnprovenRuns) {
        return kNever;
    }
    constexpr Timestamp kAhead = (kBurst - 1) * kInterval;
    const auto by_rate = rested_ > kAhead ? rested_ - kAhead : 0;
    return std::max({now, by_rate, last_run_ + delay_after(wrong_)});
}

GuessBudget::Run GuessBudget::begin(Timestamp now) {
    ++unproven_;
    rested_ = std::max(rested_, now) + kInterval;
    last_run_ = now;
    return {*this, renewals_};
}

void GuessBudget::restore(std::size_t wrong, std::size_t wrong_of_share) {
    wrong_ = wrong;
    wrong_of_share_ = std::max(wrong, wrong_of_share);
}

void GuessBudget::renew() {
    wrong_ = 0;
    guesses_.clear();
    ++renewals_;
}

GuessBudget::Run &GuessBudget::Run::operator=(Run &&other) noexcept {
    if (this != &other) {
        end();
        budget_ = std::exchange(other.budget_, nullptr);
        renewals_ = other.renewals_;
    }
    return *this;
}

void GuessBudget::Run::proven() {
    if (budget_ != nullptr) {
        budget_->rested_ -= kInterval;
    }
    end();
}

void GuessBudget::Run::wrong(const std::optional<GuessId> &guess) {
    if (budget_ != nullptr) {
        ++budget_->wrong_of_share_;
        if (renewals_ == budget_->renewals_) {
            ++budget_->wrong_;
            if (guess) {
                budget_->guesses_.push_back(*guess);
            }
        }
    }
    end();
}

void GuessBudget::Run::end() {
    if (auto *budget = std::exchange(budget_, nullptr)) {
        --budget->unproven_;
    }
}

} // namespace thru
