#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>

#include "crypto/digest.h"
#include "fs/file_system.h"

namespace thru {

/// Feeds [begin, end) of the file to all hashers; false if it is shorter or unreadable.
bool hash_range(const fs::FileHandle &file, std::uint64_t begin, std::uint64_t end,
                std::initializer_list<Blake3 *> hashers);

/// Offset of the first byte in [begin, end) of the file that is not zero; `end` if there is none.
/// Reads no holes, and adds the bytes that it read to `read`. nullopt if shorter or unreadable.
std::optional<std::uint64_t> find_nonzero(const fs::FileHandle &file, std::uint64_t begin,
                                          std::uint64_t end, std::uint64_t &read);
/// True if [begin, end) of the file has only zeros or holes; false if shorter or unreadable.
bool is_zero(const fs::FileHandle &file, std::uint64_t begin, std::uint64_t end);

/// True if both files hold the same first `bytes`; false if one is shorter or unreadable.
bool is_same_content(const fs::FileHandle &one, const fs::FileHandle &other, std::uint64_t bytes);

} // namespace thru
