#pragma once

#include <vector>

#include "fs/file_system.h"
#include "wire/extended_attribute.h"

namespace thru {

struct ReadAttributes {
    /// Rising by name, within the limits of one file.
    std::vector<ExtendedAttribute> attributes;
    /// Some could not be read, or exceed these limits. Those that are never sent don't count.
    bool incomplete = false;
};
ReadAttributes read_attributes(const fs::FileHandle &file);

} // namespace thru
