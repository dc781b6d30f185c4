// Limits the number and rate of wrong words at a share. Applies to words only: long secrets can't
// be guessed. No clock: time is an argument. Normative text: docs/protocol.md#guesses.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "pairing/pairing_secret.h"

namespace thru {

/// Wrong tags after which a share admits no more receivers with words.
inline constexpr std::size_t kMaxWrongGuesses = 50;
/// Wrong tags at all codes of one share: bounds guesses even with a new code after each attack.
inline constexpr std::size_t kMaxWrongOfShare = 4 * kMaxWrongGuesses;
/// Maximum number of runs in progress without a proof; others wait.
inline constexpr std::size_t kMaxUnprovenRuns = 3;
/// Maximum number of waiting runs; others must try again later.
inline constexpr std::size_t kMaxWaitingRuns = 100;
/// Time from the answer to a run until its proof while others wait. A proof takes one round trip,
/// and an idle peer must not hold up the others.
inline constexpr Timestamp kAwaitedRunTimeout = 5 * kSecond;

class GuessBudget {
public:
    /// A run that was answered. Ends once: proven, wrong or abandoned. The budget outlives it.
    class Run {
    public:
        Run(Run &&other) noexcept
            : budget_(std::exchange(other.budget_, nullptr)), renewals_(other.renewals_) {}
        Run &operator=(Run &&other) noexcept;
        ~Run() { end(); }

        /// Ends a run with the right words, which doesn't count against the rate of new runs.
        void proven();
        /// Ends a run with a wrong tag, the only outcome that counts. `guess` is its ID, which a
        /// receiver may present at another server.
        void wrong(const std::optional<GuessId> &guess = {});

    private:
        friend class GuessBudget;
        Run(GuessBudget &budget, std::size_t renewals) : budget_(&budget), renewals_(renewals) {}
        void end();

        /// Null once it has ended.
        GuessBudget *budget_;
        /// The generation at its beginning: a tag for old words is no guess at the new ones.
        std::size_t renewals_;
    };

    GuessBudget() = default;
    GuessBudget(const GuessBudget &) = delete;
    GuessBudget &operator=(const GuessBudget &) = delete;

    /// The time at which the next run may be answered: `now` for immediately, kNever if the limit
    /// of runs is reached or the code is locked. Allows bursts of 10 runs without a proof, then one
    /// every 2 s; after 5 wrong tags, min(2^(wrong - 5), 30) s apart.
    Timestamp next_run(Timestamp now) const;
    /// Begins a run that is being answered.
    [[nodiscard]] Run begin(Timestamp now);
    /// Restores the counts of an earlier process for the same share, before the first run.
    void restore(std::size_t wrong, std::size_t wrong_of_share);
    /// True if this guess was counted for the current words. A receiver that tries them at another
    /// server may learn this, because it already knows.
    bool has_counted(const GuessId &guess) const {
        return std::ranges::find(guesses_, guess) != guesses_.end();
    }
    /// Starts a full budget for new words, within that of the share.
    void renew();

    /// Wrong guesses at the current words.
    std::size_t wrong() const { return wrong_; }
    std::size_t wrong_of_share() const { return wrong_of_share_; }
    bool locked() const { return wrong_ >= kMaxWrongGuesses || spent(); }
    /// True if new words no longer help.
    bool spent() const { return wrong_of_share_ >= kMaxWrongOfShare; }

private:
    std::size_t wrong_ = 0;
    std::size_t wrong_of_share_ = 0;
    std::size_t renewals_ = 0;
    std::size_t unproven_ = 0;
    /// The guesses in wrong_ with an ID: at most those that lock, plus those in progress.
    std::vector<GuessId> guesses_;
    /// The time at which a full burst of runs is available; each run delays it by one interval.
    Timestamp rested_ = 0;
    Timestamp last_run_ = 0;
};

} // namespace thru
