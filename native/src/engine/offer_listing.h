// What stands in one folder of an offer, a page at a time: for people who choose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "transfer/manifest_table.h"
#include "wire/index_ranges.h"

namespace thru {

struct ListedEntry {
    std::string name;
    EntryKind kind = EntryKind::File;
    bool text = false;
    /// In it, when it is a folder; else 1 and its size.
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
    std::int64_t mtime_ns = 0;
};

struct OfferListing {
    /// Entries of the folder in all.
    std::uint64_t total = 0;
    std::vector<ListedEntry> entries;
};

/// Entries [offset, offset + limit) of the folder `path` (empty: the top), in the manifest's order,
/// among entries below `end` and without the removed ones. Linear in the manifest. Disk pool.
OfferListing list_offer(const ManifestTable &manifest, std::size_t end, const IndexRanges &removed,
                        std::string_view path, std::uint64_t offset, std::uint64_t limit);

} // namespace thru
