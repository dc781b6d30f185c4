// Names of one file. Normative text: docs/protocol.md#hard-links
#pragma once

#include <cstddef>
#include <cstdint>

namespace thru {

/// Entry `index` is a further name of the file that entry `first` lists.
struct HardLink {
    std::uint32_t index = 0;
    std::uint32_t first = 0;
    bool operator==(const HardLink &) const = default;
};

/// Maximum number in one control message: with 4-byte varints they fit its payload.
inline constexpr std::size_t kMaxHardLinks = 8'000;

} // namespace thru
