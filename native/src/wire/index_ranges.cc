#include "wire/index_ranges.h"

#include <algorithm>
#include <iterator>

namespace thru {

IndexRanges merged(const IndexRanges &some, const IndexRanges &more) {
    IndexRanges all = some;
    all.insert(all.end(), more.begin(), more.end());
    std::ranges::sort(all, {}, &IndexRange::first);
    IndexRanges joined;
    for (const IndexRange &range : all) {
        if (!joined.empty() && joined.back().first + joined.back().count >= range.first) {
            IndexRange &last = joined.back();
            last.count = std::max(last.first + last.count, range.first + range.count) - last.first;
        } else {
            joined.push_back(range);
        }
    }
    return joined;
}

IndexRanges part_of(const IndexRanges &ranges, std::uint64_t begin, std::uint64_t end) {
    IndexRanges part;
    for (const IndexRange &range : ranges) {
        const auto first = std::max(range.first, begin);
        const auto last = std::min(range.first + range.count, end);
        if (first < last) {
            part.push_back({.first = first, .count = last - first});
        }
    }
    return part;
}

bool contains(const IndexRanges &ranges, std::uint64_t index) {
    const auto after = std::ranges::upper_bound(ranges, index, {}, &IndexRange::first);
    return after != ranges.begin() && index - std::prev(after)->first < std::prev(after)->count;
}

} // namespace thru
