// What the hashes of a transfer cost at one end.
#pragma once

#include <cstdint>

namespace thru {

/// CPU seconds for so many bytes, hashed as segments are: chunk by chunk, each brought into the
/// cache by a copy before, which is not counted.
double hashing_seconds(std::uint64_t bytes);

} // namespace thru
