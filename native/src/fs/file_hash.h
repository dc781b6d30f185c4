// Hashes of what is in files.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "crypto/digest.h"
#include "fs/file_system.h"

namespace thru {

/// Feeds [begin, end) of the file to all hashers; false when it is shorter or can't be read.
bool hash_range(const fs::FileHandle &file, std::uint64_t begin, std::uint64_t end,
                std::initializer_list<Blake3 *> hashers);

/// True when [begin, end) of the file holds nothing but zeros, holes among them; false when it is
/// shorter or can't be read.
bool is_zero(const fs::FileHandle &file, std::uint64_t begin, std::uint64_t end);

} // namespace thru
