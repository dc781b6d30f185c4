// How many wrong words a share bears, and how fast they may be tried. Words only: long secrets
// can't be guessed. No clock: the caller tells the time. Normative text: docs/protocol.md#guesses.
#pragma once

#include <cstddef>

#include "base/clock.h"

namespace thru {

/// Wrong tags after which a share takes nobody in by words any more.
inline constexpr std::size_t kMaxWrongGuesses = 50;
/// Runs that may be under way without a proof; others wait for their turn.
inline constexpr std::size_t kMaxUnprovenRuns = 3;
/// Runs that may wait; others are told to come again.
inline constexpr std::size_t kMaxWaitingRuns = 100;
/// From the answer to a run until its proof.
inline constexpr Timestamp kRunTimeout = 15 * kSecond;

class GuessBudget {
public:
    /// When the next run may be answered: now when it may be at once, kNever while as many as may
    /// be are under way or when locked. Bursts of 10 runs, then one every 2 s; after 5 wrong tags
    /// min(2^(wrong - 5), 30) s between two.
    Timestamp next_run(Timestamp now) const;
    /// A run is answered; ends with one of the three below.
    void begin(Timestamp now);
    void on_proven();
    /// A tag was wrong: the one thing that counts.
    void on_wrong();
    /// It ended, or timed out, without a tag.
    void on_abandoned();

    std::size_t wrong() const { return wrong_; }
    bool locked() const { return wrong_ >= kMaxWrongGuesses; }

private:
    std::size_t wrong_ = 0;
    std::size_t unproven_ = 0;
    /// When as many runs may begin at once as a burst has: each run moves it one interval on.
    Timestamp rested_ = 0;
    Timestamp last_run_ = 0;
};

} // namespace thru
