#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace thru::bench {

struct PartRuns {
    /// Number of alternating runs of each part and its baseline, after a round that fills caches.
    std::uint64_t runs = 1;
    /// A multiple of the usual amount.
    double size = 1;
    /// Parts to run; all if empty.
    std::vector<std::string> names;
};

/// Prints a line of JSON for each finished part. Returns false for unknown names.
bool print_parts(const PartRuns &wanted);

} // namespace thru::bench
