// Files of a transfer that are done now, and files in progress.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/file_listing.h"
#include "transfer/file_states.h"
#include "transfer/manifest_table.h"

namespace thru {

struct FileChanges {
    /// The first files that have reached a final state.
    std::vector<ListedFile> files;
    /// Number of further such files.
    std::uint64_t more = 0;
    /// The first files in progress, and their total number.
    std::vector<std::string> active;
    std::uint64_t active_files = 0;
};

/// Compares with `known`, the previous states, and updates it. Linear in the manifest. Any thread.
FileChanges changes_of(const ManifestTable &manifest, FileStates states,
                       std::vector<FileState> &known);

} // namespace thru
