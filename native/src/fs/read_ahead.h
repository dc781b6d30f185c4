#pragma once

#include <cstdint>

#include "fs/file_system.h"

namespace thru::fs {

/// Starts to read these bytes in the background, if the system can, and returns immediately.
void read_ahead(const FileHandle &file, std::uint64_t offset, std::uint64_t bytes);

} // namespace thru::fs
