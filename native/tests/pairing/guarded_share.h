// What a share does with runs by words: a budget, a clock of its own, and a sender for each run.
#pragma once

#include <optional>
#include <string>

#include "pairing/guess_budget.h"
#include "pairing/pairing_ends.h"

namespace thru::test {

class GuardedShare {
public:
    explicit GuardedShare(const PairingSecret &secret = right_words()) : secret_(secret) {}

    enum class Answer { Proven, Wrong, Locked };

    /// A run with this guess, answered as soon as the budget lets it.
    Answer attempt(const PairingSecret &guess) {
        Ends ends{secret_, guess};
        auto run = begin();
        if (!run) {
            return Answer::Locked;
        }
        const bool in_order = ends.to_sender() && ends.to_receiver();
        const auto answer = ends.to_sender();
        if (in_order && is_proven(answer)) {
            run->proven();
            return Answer::Proven;
        }
        if (code_of(answer) == ErrorCode::CodeMismatch) {
            run->wrong();
        }
        return Answer::Wrong;
    }

    /// A run that goes no further than Pake2; `request` is a Pake1.
    void abandon(const std::string &request) {
        auto sender = new_sender();
        if (const auto run = begin(); run && sender.on_payload(request)) {
            static_cast<void>(sender.admit(secret_));
        }
    }

    const GuessBudget &budget() const { return budget_; }
    Timestamp now() const { return now_; }

private:
    /// Waits for its turn; none when there will be none.
    std::optional<GuessBudget::Run> begin() {
        const auto turn = budget_.next_run(now_);
        if (turn == kNever) {
            return std::nullopt;
        }
        now_ = turn;
        return budget_.begin(now_);
    }

    PairingSecret secret_;
    GuessBudget budget_;
    Timestamp now_ = 1000 * kSecond;
};

} // namespace thru::test
