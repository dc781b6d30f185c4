// The system's CSPRNG.
#pragma once

#include <cstdint>

#include "base/bytes.h"
#include "base/error.h"

namespace thru {

/// Call this before a session begins. Returns Internal if the system has no random bytes.
Result<> require_random();

/// Fills `out`. Ends the process if the system has no randomness: nothing safe could follow.
void random_bytes(MutableByteView out);

/// Uniform in [0, bound), bound > 0, without modulo bias.
std::uint32_t random_below(std::uint32_t bound);

} // namespace thru
