#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "fs/file_system.h"

namespace thru::fs {

/// Starts to write these bytes to the disk in the background, if the system can, and returns
/// immediately. A later sync then takes less time.
void begin_writeback(const FileHandle &file, std::uint64_t offset, std::uint64_t bytes);

/// Alignment of memory, offset, and length of a write through open_direct().
inline constexpr std::size_t kDirectAlignment = 4096;

/// Opens the file once more, for writes that bypass the system's cache. nullopt where the system
/// can't, or where they would be slower: on network drives, and where data has checksums.
std::optional<FileHandle> open_direct(const FileHandle &file);

} // namespace thru::fs
