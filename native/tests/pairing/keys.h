// Keys for tests.
#pragma once

#include <algorithm>
#include <cstdint>

#include "crypto/secret_key.h"

namespace thru::test {

/// A key all of whose bytes are `byte`.
inline SecretKey key_of(std::uint8_t byte) {
    SecretKey key;
    std::ranges::fill(key.mutable_view(), byte);
    return key;
}

} // namespace thru::test
