#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/commands.h"
#include "transfer/manifest_table.h"
#include "wire/index_ranges.h"

namespace thru {

struct ListedEntry {
    std::string name;
    EntryKind kind = EntryKind::File;
    bool text = false;
    /// Number and size of the files in a folder; 1 and its own size for other entries.
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
    std::int64_t mtime_ns = 0;
};

struct OfferListing {
    /// Number of entries in the folder, or of matches.
    std::uint64_t total = 0;
    std::vector<ListedEntry> entries;
};

/// Entries [offset, offset + limit) of the folder `path` (empty: the top), below `end` and not
/// removed. Sorted by `natural_order`, folders first. With a `query`: matching files and links
/// below the folder, also by chosen names if it is the top, by `natural_path_order`, named by their
/// relative path. Linear. Disk pool.
OfferListing list_offer(const ManifestTable &manifest, std::size_t end, const IndexRanges &removed,
                        const ListOffer &asked);

} // namespace thru
