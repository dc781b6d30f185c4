// The difference between two scans of the same items.
#pragma once

#include <cstdint>

#include "source/source_files.h"
#include "wire/index_ranges.h"

namespace thru {

enum class Difference : std::uint8_t {
    None,
    /// The same entries, but files have other versions: they were replaced by equal ones, or only
    /// their attributes changed.
    Versions,
    Entries,
};

/// Compares the entries below `before_end`, except removed ones, with those below `now_end`. Reads
/// no file. Any thread.
Difference difference_of(const SourceFiles &before, std::uint64_t before_end,
                         const IndexRanges &removed, const SourceFiles &now, std::uint64_t now_end);

} // namespace thru
