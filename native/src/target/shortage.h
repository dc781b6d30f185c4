// Lack of room in a folder.
#pragma once

#include <cstdint>

namespace thru {

/// What a folder has no room for, and how much.
struct Shortage {
    enum class Kind : std::uint8_t {
        Space,
        /// This user's share of the disk, whatever else is free.
        Quota,
        /// The disk holds no more files.
        Files,
    };
    Kind kind = Kind::Space;
    /// Bytes that have to become free, at least 1.
    std::uint64_t bytes = 1;
};

} // namespace thru
