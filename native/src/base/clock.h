// Time as a number that is passed in; only the engine's loop and tests make one.
#pragma once

#include <cstdint>
#include <limits>

namespace thru {

/// Nanoseconds on a monotonic clock.
using Timestamp = std::uint64_t;

inline constexpr Timestamp kNever = std::numeric_limits<Timestamp>::max();
inline constexpr Timestamp kMicrosecond = 1'000;
inline constexpr Timestamp kMillisecond = 1'000'000;
inline constexpr Timestamp kSecond = 1'000'000'000;

/// Now, from the operating system. Called on the network thread where it waits and where datagrams
/// arrive; everything else takes time as an argument.
Timestamp monotonic_now();

} // namespace thru
