// Times at which files and folders were made. Normative text: docs/protocol.md#creation-times
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace thru {

struct CreationTime {
    std::uint32_t index = 0;
    /// Since 1970.
    std::int64_t ns = 0;
    bool operator==(const CreationTime &) const = default;
};

/// Sender, before Offer: rising by index.
struct CreationTimes {
    std::vector<CreationTime> files;
};

/// Maximum number in one control message: with 4-byte varints they fit its payload.
inline constexpr std::size_t kMaxCreationTimes = 5'000;
/// Times that a sender offers: about 3 MB, which OFFER waits for.
inline constexpr std::size_t kMaxOfferedCreationTimes = 1 << 18;

} // namespace thru
