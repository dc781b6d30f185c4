// Files in a folder that another sender may have forged to look like the offered ones.
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
    /// None.
    ForeignFiles() = default;
    /// Those that receives from other senders than `origin` made in the folder or were to make, as
    /// far as their journals exist, with running ones. `names` maps their paths.
    ForeignFiles(const fs::FileHandle &root, const NameMap &names, const OriginId &origin);

    /// Size and time of the file with this number at this place may have been chosen by another
    /// sender. Sometimes true where it is not so: then its content tells.
    bool may_have(const SafeRelPath &place, std::uint64_t number) const;

private:
    void add(const fs::FileHandle &journal, const NameMap &names);

    /// Sorted. Of files that were moved to another disk, and where numbers of files do not last,
    /// the place tells; of those that were renamed, the number.
    std::vector<std::uint64_t> numbers_;
    /// Hashes.
    std::vector<std::uint64_t> places_;
};

} // namespace thru
