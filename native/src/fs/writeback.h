#pragma once

#include <cstdint>

#include "fs/file_system.h"

namespace thru::fs {

/// Starts to write these bytes to the disk in the background, if the system can, and returns
/// immediately. A later sync then takes less time.
void begin_writeback(const FileHandle &file, std::uint64_t offset, std::uint64_t bytes);

} // namespace thru::fs
