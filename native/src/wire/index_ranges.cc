#include "wire/index_ranges.h"

#include <algorithm>

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

} // namespace thru
