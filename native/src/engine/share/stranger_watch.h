// Detects floods of strangers, which may delay honest receivers. Network thread only.
#pragma once

#include <algorithm>

#include "base/clock.h"

namespace thru {

class StrangerWatch {
public:
    /// A receiver was refused, or ended without a proof.
    void on_stranger(Timestamp now) {
        level_ = std::min(std::max(level_, now) + kForOne, now + kMaxLevel);
    }
    /// True when `many` has changed.
    bool update(Timestamp now) {
        const bool before = many_;
        many_ = level_ > now + (many_ ? kFew : kMany);
        return many_ != before;
    }
    bool many() const { return many_; }
    /// Time of the next update.
    Timestamp deadline() const { return many_ ? level_ - kFew : kNever; }

private:
    /// Ten a minute are normal: people mistype, and a full share refuses receivers with the right
    /// code. Twenty beyond that are many; the state ends soon after the last of them.
    static constexpr Timestamp kForOne = 6 * kSecond;
    static constexpr Timestamp kMany = 19 * kForOne;
    static constexpr Timestamp kFew = 5 * kForOne;
    static constexpr Timestamp kMaxLevel = 2 * kMany;

    /// Advances with each stranger; compared with the current time.
    Timestamp level_ = 0;
    bool many_ = false;
};

} // namespace thru
