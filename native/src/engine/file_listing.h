// The files of a running transfer, a page at a time, for display.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/commands.h"
#include "transfer/file_states.h"
#include "transfer/manifest_table.h"

namespace thru {

struct ListedFile {
    std::uint64_t index = 0;
    std::string path;
    EntryKind kind = EntryKind::File;
    std::uint64_t size = 0;
    /// Bytes known to be present at the receiver, in whole pieces.
    std::uint64_t bytes = 0;
    FileState state = FileState::Waiting;
};

struct FilePage {
    /// Files by filter, regardless of the search.
    std::array<std::uint64_t, kFileFilters> counts{};
    /// Files that match the filter and the search.
    std::uint64_t total = 0;
    std::vector<ListedFile> files;
};

/// The entries of a manifest in the order of `natural_path_order`. Kept between pages, because
/// sorting a million takes a second. Disk pool.
class FileOrder {
public:
    /// At least the first `end` indexes in order; more if an earlier call had a larger `end`.
    const std::vector<std::uint32_t> &of(const ManifestTable &manifest, std::uint64_t end);

private:
    std::vector<std::uint32_t> indexes_;
};

/// One page in the order of `order`, without `bytes`. Includes files, and other entries that
/// failed. Linear in the manifest. Disk pool.
FilePage list_files(const ManifestTable &manifest, FileStates states, const ListFiles &asked,
                    FileOrder &order);

} // namespace thru
