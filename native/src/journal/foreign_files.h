// Files in a folder that another sender could have forged to look like the offered ones.
#pragma once

#include <cstdint>
#include <vector>

#include "fs/file_system.h"
#include "names/name_map.h"
#include "names/safe_rel_path.h"
#include "transfer/receive_options.h"

namespace thru {

/// Immutable.
class ForeignFiles {
public:
    ForeignFiles() = default;
    /// Collects the files made in the folder, or about to be, by receives from senders other than
    /// `origin`. Reads all existing journals, even locked ones. `names` maps their paths.
    ForeignFiles(const fs::FileHandle &root, const NameMap &names, const OriginId &origin);

    /// True if another sender may have chosen the size and time of the file with this number at
    /// this place. May also be true for other files; their content then decides.
    bool may_have(const SafeRelPath &place, std::uint64_t number) const;

private:
    void add(const fs::FileHandle &journal, const NameMap &names);

    /// Sorted. Places identify files that were moved to another disk, or on systems without lasting
    /// file numbers; numbers identify renamed files.
    std::vector<std::uint64_t> numbers_;
    /// Hashes of places.
    std::vector<std::uint64_t> places_;
};

} // namespace thru
