// The cost of a transfer's hashes at one end.
#pragma once

#include <cstdint>

namespace thru {

/// CPU seconds to hash this many bytes like segments: in chunks, each copied into the cache first.
/// The copy is not counted.
double hashing_seconds(std::uint64_t bytes);

} // namespace thru
