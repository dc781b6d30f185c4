// The state of each file of a transfer, seen from one end: a copy for another thread.
#pragma once

#include <cstdint>
#include <vector>

#include "wire/index_ranges.h"

namespace thru {

enum class FileState : std::uint8_t {
    /// Removed from the share; not listed.
    Gone,
    Waiting,
    /// Some of its bytes are present or in transit.
    Active,
    /// Every byte is verified, but it does not have its final name yet.
    Received,
    Saved,
    /// The receiver's computer acknowledged every byte; the sender knows no more.
    Sent,
    /// The receiver already had it.
    Present,
    /// Unwanted.
    Skipped,
    Failed,
};

/// One byte for each offered entry, in terms of the end that made the copy. Copying a million
/// entries takes a network thread less than a millisecond. The reader calls `state_of`.
struct FileStates {
    std::vector<std::uint8_t> raw;
    FileState (*state_of)(std::uint8_t raw) = nullptr;
    /// Ranges of entries in transit, whatever their `raw` state, unless they were left out.
    std::vector<IndexRange> under_way;
};

} // namespace thru
