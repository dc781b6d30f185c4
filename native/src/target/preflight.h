// What receiving into a folder would meet there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "names/name_map.h"
#include "target/conflict.h"
#include "transfer/manifest_table.h"
#include "transfer/receive_options.h"
#include "wire/control.h"

namespace thru {

/// An existing file where an entry would be written.
struct Conflict {
    std::uint64_t index = 0;
    std::uint64_t existing_bytes = 0;
    std::int64_t existing_mtime_ns = 0;
    /// The one that is offered was modified later.
    bool offered_is_newer = false;
};

/// Preflight of a folder before anything is accepted; it makes and changes nothing.
struct PreflightResult {
    /// The folder exists already.
    bool exists = false;
    ConflictSummary conflicts;
    std::vector<Conflict> listed_conflicts;
    /// Bytes of an earlier attempt that need not be sent again.
    std::uint64_t resumed_bytes = 0;
    /// Files that are wanted, texts included, and their sizes.
    std::uint64_t wanted_files = 0;
    std::uint64_t wanted_bytes = 0;
    /// Bytes that have to be written.
    std::uint64_t needed_bytes = 0;
    /// Bytes that are free on the target's disk.
    std::uint64_t free_bytes = 0;
    std::uint64_t mapped_names = 0;
    std::vector<MappedName> listed_names;
    /// Files that the file system can't hold.
    std::vector<std::uint64_t> too_large;
};

/// TargetNotWritable, TargetGone, BadManifest. Skips `unwanted`. Disk pool.
Result<PreflightResult> preflight_target(const std::string &directory,
                                         const ManifestTable &manifest, std::size_t end,
                                         const ReceiveOptions &options,
                                         const IndexRanges &unwanted);

} // namespace thru
