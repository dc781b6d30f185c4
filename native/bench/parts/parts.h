#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace thru::bench {

struct PartRuns {
    /// How often each part and its limit are run, in turn, after a round that fills caches.
    std::uint64_t runs = 1;
    /// Times the usual amount.
    double size = 1;
    /// All parts when there is none.
    std::vector<std::string> names;
};

/// Prints a line of JSON for each part when it is done. False, with a sentence, for unknown names.
bool print_parts(const PartRuns &wanted);

} // namespace thru::bench
