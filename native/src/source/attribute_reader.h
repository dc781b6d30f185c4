#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fs/file_system.h"
#include "wire/extended_attribute.h"

namespace thru {

struct ReadAttributes {
    /// Rising by name, within the limits of one file.
    std::vector<ExtendedAttribute> attributes;
    /// Some could not be read, or exceed these limits. Those that are never sent don't count.
    bool incomplete = false;
    /// When the file was made, if its file system says so.
    std::optional<std::int64_t> created_ns{};
};
ReadAttributes read_attributes(const fs::FileHandle &file);

} // namespace thru
