// Keyed hashes for tables: whoever chooses the content can't make it collide.
#pragma once

#include <array>
#include <cstdint>

#include "base/bytes.h"

namespace thru {

/// SipHash-2-4 under a random key of its own. Of no use where 64 bits are too few: it is not for
/// signatures. Usable from any thread.
class KeyedHash {
public:
    KeyedHash();
    std::uint64_t operator()(ByteView bytes) const;

private:
    std::array<std::uint8_t, 16> key_{};
};

} // namespace thru
