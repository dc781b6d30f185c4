// What scans left out of a share, counted by reason, as it is sent to receivers.
#pragma once

#include "source/tree_scan.h"
#include "wire/control.h"

namespace thru {

/// Adds a problem of a scan. Names nothing of this machine but what is in the shared item, and the
/// item's own last name.
void count_left_out(const ScanProblem &problem, LeftOut &left_out);

/// Adds all that `other` has.
void add_left_out(const LeftOut &other, LeftOut &left_out);

/// Entries, for all reasons together.
std::uint64_t count_of(const LeftOut &left_out);

} // namespace thru
