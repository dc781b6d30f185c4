// Time is a number passed as an argument; only event loops and tests read a clock.
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

/// The source of an event loop's time. It never goes backward and is called on the loop's thread.
using Clock = std::function<Timestamp()>;

/// The operating system's clock, used by every loop unless a test supplies another.
Timestamp monotonic_now();

} // namespace thru
