// Short forms of messages from hostile senders and receivers.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "wire/index_ranges.h"
#include "wire/manifest.h"

namespace thru {

/// `count`, which takes about a second; ten times that if THRU_LONG_TESTS is set.
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
