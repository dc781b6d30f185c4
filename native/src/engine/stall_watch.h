// Notices when a transfer that should move doesn't, and why. Network thread only.
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "engine/events.h"

namespace thru {

class StallWatch {
public:
    /// What moved so far in all, and whether anything should. The reason to tell, whenever it
    /// changes; `reason` is asked only after kPatience without a move.
    template <class Reason>
    std::optional<StallReason> update(std::uint64_t moved, bool should_move, Timestamp now,
                                      Reason reason) {
        if (moved != moved_ || !should_move || since_ == kNever) {
            moved_ = moved;
            since_ = should_move ? now : kNever;
            return report(StallReason::None);
        }
        return now >= since_ + kPatience ? report(reason()) : std::nullopt;
    }
    /// When to look again without any other cause.
    Timestamp deadline() const {
        return since_ == kNever || reported_ != StallReason::None ? kNever : since_ + kPatience;
    }

    static constexpr Timestamp kPatience = 3 * kSecond;

private:
    std::optional<StallReason> report(StallReason reason) {
        if (reason == reported_) {
            return std::nullopt;
        }
        reported_ = reason;
        return reason;
    }

    std::uint64_t moved_ = 0;
    Timestamp since_ = kNever;
    StallReason reported_ = StallReason::None;
};

} // namespace thru
