#include "source/source_difference.h"

namespace thru {

Difference difference_of(const SourceFiles &before, std::uint64_t before_end,
                         const IndexRanges &removed, const SourceFiles &now,
                         std::uint64_t now_end) {
    auto gap = removed.begin();
    std::uint64_t next = 0;
    bool same_versions = true;
    for (std::uint64_t index = 0; index < before_end; ++index) {
        while (gap != removed.end() && gap->first + gap->count <= index) {
            ++gap;
        }
        if (gap != removed.end() && gap->first <= index) {
            continue;
        }
        if (next == now_end || before.manifest().entry(index) != now.manifest().entry(next)) {
            return Difference::Entries;
        }
        same_versions = same_versions && (before.manifest().kind(index) != EntryKind::File ||
                                          before.validator(index) == now.validator(next));
        ++next;
    }
    if (next < now_end) {
        return Difference::Entries;
    }
    return same_versions ? Difference::None : Difference::Versions;
}

} // namespace thru
