// Claimed bytes of a file, or entries of a manifest: disjoint, merged half-open ranges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "wire/index_ranges.h"

namespace thru {

class RangeSet {
public:
    /// Adds the non-empty range [begin, end). Returns the number of new bytes.
    std::uint64_t add(std::uint64_t begin, std::uint64_t end);
    /// Removes the non-empty range [begin, end). Returns the number of bytes removed.
    std::uint64_t remove(std::uint64_t begin, std::uint64_t end);

    /// True if a byte of the non-empty range [begin, end) is in the set.
    bool overlaps(std::uint64_t begin, std::uint64_t end) const;

    IndexRanges indexes() const;
    /// The part within [begin, end), as indexes.
    IndexRanges indexes(std::uint64_t begin, std::uint64_t end) const;

    bool empty() const { return ranges_.empty(); }
    /// Number of disjoint ranges: the cost in memory.
    std::size_t count() const { return ranges_.size(); }
    std::uint64_t bytes() const { return bytes_; }

private:
    /// Maps each range's begin to its end.
    std::map<std::uint64_t, std::uint64_t> ranges_;
    std::uint64_t bytes_ = 0;
};

} // namespace thru
