// How many wrong words a share bears, and how fast they may be tried. Words only: long secrets
// can't be guessed. No clock: the caller tells the time. Normative text: docs/protocol.md#guesses.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "pairing/pairing_secret.h"

namespace thru {

/// Wrong tags after which a share no longer admits anyone by words.
inline constexpr std::size_t kMaxWrongGuesses = 50;
/// Wrong tags at all codes that people made for one share: four codes' worth, so that whoever makes
/// a new code each time somebody guesses still bounds what the guesses can win.
inline constexpr std::size_t kMaxWrongOfShare = 4 * kMaxWrongGuesses;
/// Runs that may be under way without a proof; others wait for their turn.
inline constexpr std::size_t kMaxUnprovenRuns = 3;
/// Runs that may wait; others are asked to try again.
inline constexpr std::size_t kMaxWaitingRuns = 100;
/// Time from the answer to a run until its proof while others wait: a proof takes one round trip,
/// and an idle peer must not keep the place for long.
inline constexpr Timestamp kAwaitedRunTimeout = 5 * kSecond;

class GuessBudget {
public:
    /// A run that was answered. It ends once: proven, wrong, or abandoned when it is destroyed
    /// before. Its budget outlives it.
    class Run {
    public:
        Run(Run &&other) noexcept
            : budget_(std::exchange(other.budget_, nullptr)), renewals_(other.renewals_) {}
        Run &operator=(Run &&other) noexcept;
        ~Run() { end(); }

        /// The words were right, so it was no guess: it takes nothing of what others may begin.
        void proven();
        /// A tag was wrong: the one thing that counts. `guess`: its name, as a receiver may give it
        /// at another place.
        void wrong(const std::optional<GuessId> &guess = {});

    private:
        friend class GuessBudget;
        Run(GuessBudget &budget, std::size_t renewals) : budget_(&budget), renewals_(renewals) {}
        void end();

        /// None once it has ended.
        GuessBudget *budget_;
        /// The budget's generation when the run began: a tag for words that were replaced is no
        /// guess at the new ones.
        std::size_t renewals_;
    };

    GuessBudget() = default;
    GuessBudget(const GuessBudget &) = delete;
    GuessBudget &operator=(const GuessBudget &) = delete;

    /// When the next run may be answered: now when it may be at once, kNever while as many as may
    /// be are under way or when locked. Bursts of 10 runs without a proof, then one every 2 s;
    /// after 5 wrong tags min(2^(wrong - 5), 30) s between two.
    Timestamp next_run(Timestamp now) const;
    /// A run is answered.
    [[nodiscard]] Run begin(Timestamp now);
    /// Counts on from what an earlier program of the same share counted; before the first run.
    void restore(std::size_t wrong, std::size_t wrong_of_share);
    /// This guess was counted for the present words. A receiver that tries them at another place
    /// may be told so: its guess had that answer before.
    bool has_counted(const GuessId &guess) const {
        return std::ranges::find(guesses_, guess) != guesses_.end();
    }
    /// A person made other words: they bear as many guesses again, as long as the share does.
    void renew();

    /// At the present words.
    std::size_t wrong() const { return wrong_; }
    /// At all words of the share.
    std::size_t wrong_of_share() const { return wrong_of_share_; }
    bool locked() const { return wrong_ >= kMaxWrongGuesses || spent(); }
    /// Other words no longer help either.
    bool spent() const { return wrong_of_share_ >= kMaxWrongOfShare; }

private:
    std::size_t wrong_ = 0;
    std::size_t wrong_of_share_ = 0;
    std::size_t renewals_ = 0;
    std::size_t unproven_ = 0;
    /// The guesses of wrong_ that have a name: no more than lock the code, and those that were in
    /// progress then.
    std::vector<GuessId> guesses_;
    /// When as many runs may begin at once as a burst has: each run moves it one interval on.
    Timestamp rested_ = 0;
    Timestamp last_run_ = 0;
};

} // namespace thru
