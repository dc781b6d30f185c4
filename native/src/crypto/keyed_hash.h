// Keyed hashes for tables: the author of the content can't cause collisions.
#pragma once

#include <array>
#include <cstdint>

#include "base/bytes.h"

namespace thru {

/// SipHash-2-4 with its own random key, for any thread. Its 64 bits are too few for signatures.
class KeyedHash {
public:
    KeyedHash();
    std::uint64_t operator()(ByteView bytes) const;

private:
    std::array<std::uint8_t, 16> key_{};
};

} // namespace thru
