// How far each file of a transfer is, as one end knows it: a copy for another thread.
#pragma once

#include <cstdint>
#include <vector>

#include "wire/index_ranges.h"

namespace thru {

enum class FileState : std::uint8_t {
    /// Removed from the share: in no list.
    Gone,
    Waiting,
    /// Some of it is on its way or here.
    Active,
    /// Every byte is verified; it has no name of its own yet.
    Received,
    Saved,
    /// The sender knows no more than that the receiver's computer took every byte.
    Sent,
    /// The receiver had it before.
    Present,
    /// Not wanted.
    Skipped,
    Failed,
};

/// One byte for each entry that is offered, in terms of the end that made the copy: taking it costs
/// a network thread less than a millisecond for a million entries. Whoever reads it calls
/// `state_of`.
struct FileStates {
    std::vector<std::uint8_t> raw;
    FileState (*state_of)(std::uint8_t raw) = nullptr;
    /// Runs of entries that are on their way whatever `raw` says, unless they were left out.
    std::vector<IndexRange> under_way;
};

} // namespace thru
