// Sets of manifest indexes as rising runs, in memory and on the wire.
// Normative text: docs/protocol.md#index-ranges
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace thru {

/// Indexes [first, first + count).
struct IndexRange {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    bool operator==(const IndexRange &) const = default;
};

/// Rising, not empty, neither overlapping nor adjacent.
using IndexRanges = std::vector<IndexRange>;

/// Most ranges of one control message: with varints of 4 bytes they fit its payload. Longer sets
/// take several messages.
inline constexpr std::size_t kMaxIndexRanges = 8'000;

/// Appends one index that is not below the last range's end.
inline void append_index(IndexRanges &ranges, std::uint64_t index) {
    if (!ranges.empty() && ranges.back().first + ranges.back().count == index) {
        ++ranges.back().count;
    } else {
        ranges.push_back({.first = index, .count = 1});
    }
}

/// Both together.
IndexRanges merged(const IndexRanges &some, const IndexRanges &more);

/// Those of [begin, end).
IndexRanges part_of(const IndexRanges &ranges, std::uint64_t begin, std::uint64_t end);

/// How many indexes they hold.
inline std::uint64_t count_of(const IndexRanges &ranges) {
    std::uint64_t count = 0;
    for (const IndexRange &range : ranges) {
        count += range.count;
    }
    return count;
}

} // namespace thru
