#include "target/entry_run.h"

#include <algorithm>
#include <utility>

namespace thru {

EntryRun::EntryRun(const ManifestTable &of, std::size_t first_entry, std::size_t end_entry,
                   const IndexRanges &unwanted_ranges)
    : manifest(of), first(first_entry), end(end_entry), unwanted(end - first), slots(end - first),
      written(end - first), own(end - first) {
    for (const IndexRange &range : unwanted_ranges) {
        const std::uint64_t last = std::min<std::uint64_t>(range.first + range.count, end);
        for (std::uint64_t index = std::max<std::uint64_t>(range.first, first); index < last;
             ++index) {
            unwanted[index - first] = true;
        }
    }
}

bool EntryRun::is_wanted(std::uint64_t index) const {
    return !unwanted[index - first] && manifest.kind(index) != EntryKind::Gone;
}

bool EntryRun::is_wanted_file(std::uint64_t index) const {
    return is_wanted(index) && manifest.kind(index) == EntryKind::File && !manifest.text(index);
}

void EntryRun::fail_entry(std::uint64_t index, Error error) {
    prepared.failures.push_back({.index = index, .error = std::move(error)});
    written[index - first] = false;
}

} // namespace thru
