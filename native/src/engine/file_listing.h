// The files of a transfer that runs, a page at a time: for people who watch it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
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
    /// How much of it this end knows to be there: whole pieces.
    std::uint64_t bytes = 0;
    FileState state = FileState::Waiting;
};

struct FilePage {
    /// By filter, whatever is searched.
    std::array<std::uint64_t, kFileFilters> counts{};
    /// Files that the filter and the search leave.
    std::uint64_t total = 0;
    std::vector<ListedFile> files;
};

/// The entries of a manifest by `natural_path_order` of their paths. Kept from page to page:
/// sorting a million takes a second. Disk pool.
class FileOrder {
public:
    /// The first `end` indexes in order, with those of earlier calls that had a larger `end`.
    const std::vector<std::uint32_t> &of(const ManifestTable &manifest, std::uint64_t end);

private:
    std::vector<std::uint32_t> indexes_;
};

/// One page, in the order of `order`, without the bytes of each. Has files, and entries of other
/// kinds that failed. Linear in the manifest. Disk pool.
FilePage list_files(const ManifestTable &manifest, FileStates states, const ListFiles &asked,
                    FileOrder &order);

} // namespace thru
