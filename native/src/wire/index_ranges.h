// Sets of manifest indexes as rising runs. Normative text: docs/protocol.md#index-ranges
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

/// Rising and not empty; ranges neither overlap nor touch.
using IndexRanges = std::vector<IndexRange>;

/// Maximum number of ranges in one control message: with 4-byte varints they fit its payload.
inline constexpr std::size_t kMaxIndexRanges = 8'000;

/// Appends an index that is not below the end of the last range.
inline void append_index(IndexRanges &ranges, std::uint64_t index) {
    if (!ranges.empty() && ranges.back().first + ranges.back().count == index) {
        ++ranges.back().count;
    } else {
        ranges.push_back({.first = index, .count = 1});
    }
}

bool contains(const IndexRanges &ranges, std::uint64_t index);

/// The union of both sets.
IndexRanges merged(const IndexRanges &some, const IndexRanges &more);

IndexRanges part_of(const IndexRanges &ranges, std::uint64_t begin, std::uint64_t end);

/// The number of indexes in the ranges.
inline std::uint64_t count_of(const IndexRanges &ranges) {
    std::uint64_t count = 0;
    for (const IndexRange &range : ranges) {
        count += range.count;
    }
    return count;
}

} // namespace thru
