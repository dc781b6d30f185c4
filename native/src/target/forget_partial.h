// Deletes what interrupted receives left in a folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "fs/file_system.h"

namespace thru {

struct Forgotten {
    /// Part files that are gone, and the bytes that they had.
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
};

/// Deletes the part files of one tag in this folder. Disk pool.
Forgotten delete_parts(const fs::FileHandle &folder, std::string_view tag);

/// Deletes the journals in `directory` and the part files that they know; those of receives that
/// run now stay. TargetGone when there is no such folder, TargetNotWritable. Disk pool.
Result<Forgotten> forget_partial(const std::string &directory);

} // namespace thru
