// Memory that holds secrets and does not keep them.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/bytes.h"

namespace thru {

/// Overwrites with zeros; not optimised away.
void wipe(MutableByteView secret);
/// Likewise, and leaves the text empty.
void wipe(std::string &secret);

/// 32 bytes of key, all zero at first, wiped when it goes.
class SecretKey {
public:
    SecretKey() = default;
    ~SecretKey() { wipe(bytes_); }
    SecretKey(const SecretKey &) = default;
    SecretKey &operator=(const SecretKey &) = default;

    ByteView view() const { return bytes_; }
    MutableByteView mutable_view() { return bytes_; }

private:
    std::array<std::uint8_t, 32> bytes_{};
};

} // namespace thru
