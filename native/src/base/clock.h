// Time as a number that is passed in; only event loops and tests ask a clock for one.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>

namespace thru {

/// Nanoseconds on a monotonic clock.
using Timestamp = std::uint64_t;

inline constexpr Timestamp kNever = std::numeric_limits<Timestamp>::max();
inline constexpr Timestamp kMicrosecond = 1'000;
inline constexpr Timestamp kMillisecond = 1'000'000;
inline constexpr Timestamp kSecond = 1'000'000'000;

/// What an event loop asks for the time. Never goes back; called on the loop's thread.
using Clock = std::function<Timestamp()>;

/// The operating system's clock, which every loop asks unless a test gives it another.
Timestamp monotonic_now();

} // namespace thru
