#pragma once

#include <cstdint>

namespace thru {

/// The exhausted resource of a folder, and the amount missing.
struct Shortage {
    enum class Kind : std::uint8_t {
        Space,
        /// This user's quota, however much is free otherwise.
        Quota,
        /// The disk holds no more files.
        Files,
    };
    Kind kind = Kind::Space;
    /// Bytes that must become free, at least 1.
    std::uint64_t bytes = 1;
};

} // namespace thru
