// A hint to the disk, for whoever knows what it reads next.
#pragma once

#include <cstdint>

#include "fs/file_system.h"

namespace thru::fs {

/// These bytes will be read soon: a system that can begin to read them does, and this returns.
void read_ahead(const FileHandle &file, std::uint64_t offset, std::uint64_t bytes);

} // namespace thru::fs
