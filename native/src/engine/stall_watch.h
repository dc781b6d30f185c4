// Detects stalled transfers and finds the reason. Network thread only.
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "engine/events.h"

namespace thru {

/// The reason why a connection by this kind of route carries nothing.
inline StallReason stall_of_network(Route::Kind route, bool silent) {
    return silent && route == Route::Kind::Relay ? StallReason::Relay : StallReason::Network;
}

class StallWatch {
public:
    /// `moved`: the total so far; `should_move`: it should grow. Returns the reason whenever it
    /// changes. Calls `reason` only after kPatience without progress.
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
