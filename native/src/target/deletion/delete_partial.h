#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "fs/file_system.h"
#include "wire/control.h"

namespace thru {

struct DeletedPartial {
    /// Deleted part files, and their bytes.
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
};

/// Deletes the part files of one tag in this folder. Disk pool.
DeletedPartial delete_parts(const fs::FileHandle &folder, std::string_view tag);

/// Deletes the journals in `directory` and the part files that they list, except those of running
/// receives and of `kept` ones. TargetGone if there is no such folder, TargetNotWritable. Disk
/// pool.
Result<DeletedPartial> delete_partial(const std::string &directory, std::span<const WireId> kept);

} // namespace thru
