// Which files of a transfer are done now, and which are on their way.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/file_listing.h"
#include "transfer/file_states.h"
#include "transfer/manifest_table.h"

namespace thru {

/// What became of files since somebody looked last.
struct FileChanges {
    /// Files whose state is final now: the first of them.
    std::vector<ListedFile> files;
    /// Others of them.
    std::uint64_t more = 0;
    /// Files on their way: the first of them, and how many in all.
    std::vector<std::string> active;
    std::uint64_t active_files = 0;
};

/// Compares with `known`, the states of the last time, and brings it up to date. Linear in the
/// manifest. Any thread.
FileChanges changes_of(const ManifestTable &manifest, FileStates states,
                       std::vector<FileState> &known);

} // namespace thru
