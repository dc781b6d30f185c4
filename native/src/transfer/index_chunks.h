// Iterates over sets of indexes, and splits them into chunks that fit a control message.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "wire/index_ranges.h"

namespace thru {

/// Calls `visit` with every index, in ascending order.
template <class Visit> void for_each_index(const IndexRanges &ranges, Visit visit) {
    for (const IndexRange &range : ranges) {
        for (std::uint64_t index = range.first; index < range.first + range.count; ++index) {
            visit(index);
        }
    }
}

/// Chunks of at most kMaxIndexRanges each; none for an empty set.
inline std::vector<IndexRanges> chunks_of(const IndexRanges &ranges) {
    std::vector<IndexRanges> chunks;
    for (std::size_t begin = 0; begin < ranges.size(); begin += kMaxIndexRanges) {
        const auto end = std::min(begin + kMaxIndexRanges, ranges.size());
        chunks.emplace_back(ranges.begin() + static_cast<std::ptrdiff_t>(begin),
                            ranges.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return chunks;
}

} // namespace thru
