#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "names/name_map.h"
#include "target/existing/conflict.h"
#include "transfer/manifest_table.h"
#include "transfer/receive_options.h"
#include "wire/control.h"

namespace thru {

/// An existing file at the place of an entry.
struct Conflict {
    std::uint64_t index = 0;
    std::uint64_t existing_bytes = 0;
    std::int64_t existing_mtime_ns = 0;
    /// The offered file was modified later.
    bool offered_is_newer = false;
    /// The policy replaces the existing file.
    bool replaced = false;
};

/// Preflight of a folder before accepting; it changes nothing.
struct PreflightResult {
    bool exists = false;
    ConflictSummary conflicts;
    /// Existing files of which only changed blocks will be received, or which UpdateUnchanged
    /// replaces, and the new sizes.
    std::uint64_t updated_files = 0;
    std::uint64_t updated_bytes = 0;
    std::vector<Conflict> listed_conflicts;
    /// Bytes of an earlier attempt that will not be sent again.
    std::uint64_t resumed_bytes = 0;
    /// Wanted files, including texts, and their sizes.
    std::uint64_t wanted_files = 0;
    std::uint64_t wanted_bytes = 0;
    /// Bytes to be written.
    std::uint64_t needed_bytes = 0;
    /// Free bytes on the target's disk.
    std::uint64_t free_bytes = 0;
    std::uint64_t mapped_names = 0;
    std::vector<MappedName> listed_names;
    /// Files too large for the file system.
    std::vector<std::uint64_t> too_large;
};

/// TargetNotWritable, TargetGone, BadManifest, NameNotAllowed for a rename. Skips `unwanted`.
/// `record_key`: see TransferIds. Disk pool.
Result<PreflightResult> preflight_target(const std::string &directory,
                                         const ManifestTable &manifest, std::size_t end,
                                         const ReceiveOptions &options, const IndexRanges &unwanted,
                                         const std::optional<RecordKey> &record_key = {});

} // namespace thru
