// Notices when so many strangers knock at a share that honest receivers may have to wait for them.
// Network thread only.
#pragma once

#include <algorithm>

#include "base/clock.h"

namespace thru {

class StrangerWatch {
public:
    /// Somebody knocked and was not let in, or left without a proof.
    void on_stranger(Timestamp now) {
        level_ = std::min(std::max(level_, now) + kForOne, now + kMostLevel);
    }
    /// True when `many` has changed.
    bool update(Timestamp now) {
        const bool before = many_;
        many_ = level_ > now + (many_ ? kFew : kMany);
        return many_ != before;
    }
    bool many() const { return many_; }
    /// When to look again without any other cause.
    Timestamp deadline() const { return many_ ? level_ - kFew : kNever; }

private:
    /// Ten a minute are no crowd: people mistype, and a full share turns away whoever was given its
    /// code. A crowd is twenty more than that, and over soon after the last of them.
    static constexpr Timestamp kForOne = 6 * kSecond;
    static constexpr Timestamp kMany = 19 * kForOne;
    static constexpr Timestamp kFew = 5 * kForOne;
    static constexpr Timestamp kMostLevel = 2 * kMany;

    /// Each knock moves it on; time comes after it.
    Timestamp level_ = 0;
    bool many_ = false;
};

} // namespace thru
