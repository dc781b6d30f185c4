// Detects floods of strangers, which may delay honest receivers. Network thread only.
#pragma once

#include <algorithm>

#include "base/clock.h"

namespace thru {

class UnauthenticatedLoad {
public:
    /// A receiver was refused, or ended without a proof.
    void on_peer(Timestamp now) {
        level_ = std::min(std::max(level_, now) + kForOne, now + kMaxLevel);
    }
    /// True when `high` has changed.
    bool update(Timestamp now) {
        const bool before = high_;
        high_ = level_ > now + (high_ ? kLow : kHigh);
        return high_ != before;
    }
    bool high() const { return high_; }
    Timestamp deadline() const { return high_ ? level_ - kLow : kNever; }

private:
    /// Ten a minute are normal: people mistype, and a full share refuses receivers with the right
    /// code. Twenty beyond that are many; the state ends soon after the last of them.
    static constexpr Timestamp kForOne = 6 * kSecond;
    static constexpr Timestamp kHigh = 19 * kForOne;
    static constexpr Timestamp kLow = 5 * kForOne;
    static constexpr Timestamp kMaxLevel = 2 * kHigh;

    /// Advances with each stranger; compared with the current time.
    Timestamp level_ = 0;
    bool high_ = false;
};

} // namespace thru
