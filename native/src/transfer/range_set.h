// Which bytes of a file are spoken for, or which entries of a manifest: half-open ranges that never
// overlap, neighbours merged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "wire/index_ranges.h"

namespace thru {

class RangeSet {
public:
    /// Adds [begin, end), which is not empty, whatever of it is in the set already. How many bytes
    /// are new.
    std::uint64_t add(std::uint64_t begin, std::uint64_t end);
    /// Takes out what is in the set of [begin, end), which is not empty. How many bytes that were.
    std::uint64_t remove(std::uint64_t begin, std::uint64_t end);

    /// A byte of [begin, end), which is not empty, is in the set.
    bool overlaps(std::uint64_t begin, std::uint64_t end) const;

    /// All of it, as a set of indexes.
    IndexRanges indexes() const;
    /// Those of [begin, end).
    IndexRanges indexes(std::uint64_t begin, std::uint64_t end) const;

    bool empty() const { return ranges_.empty(); }
    /// Separate runs of bytes: what it costs in memory.
    std::size_t count() const { return ranges_.size(); }
    /// Sum of all runs.
    std::uint64_t bytes() const { return bytes_; }

private:
    /// From each range's begin to its end.
    std::map<std::uint64_t, std::uint64_t> ranges_;
    std::uint64_t bytes_ = 0;
};

} // namespace thru
