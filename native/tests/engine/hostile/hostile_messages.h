// Short forms of what hostile senders and receivers say.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "wire/index_ranges.h"
#include "wire/manifest.h"

namespace thru {

/// A count that takes about a second, tenfold with THRU_LONG_TESTS.
inline std::uint64_t many(std::uint64_t count) {
    return std::getenv("THRU_LONG_TESTS") != nullptr ? 10 * count : count;
}

inline IndexRanges range(std::uint64_t first, std::uint64_t count = 1) {
    return {{.first = first, .count = count}};
}

/// A file of `size` bytes in a manifest.
inline ManifestEntry file(std::string path, std::uint64_t size = 4) {
    return {.path = std::move(path), .size = size, .mtime_ns = 1'000'000'000};
}

} // namespace thru
