// Counts entries that scans left out of a share, by reason, for the receivers.
#pragma once

#include "source/tree_scan.h"
#include "wire/control.h"

namespace thru {

void count_left_out(const ScanProblem &problem, LeftOut &left_out);

/// Adds all counts of `other`.
void add_left_out(const LeftOut &other, LeftOut &left_out);

/// Number of entries, over all reasons.
std::uint64_t count_of(const LeftOut &left_out);

} // namespace thru
