// What an ICE agent shows in its connectivity checks, and answers them by.
#pragma once

#include <cstddef>
#include <string>

#include "base/bytes.h"
#include "crypto/secret_key.h"

namespace thru {

/// Characters of RFC 8839, section 5.4.
struct IceCredentials {
    /// Every check shows it.
    std::string ufrag;
    /// Copies are wiped when they go.
    SecretText pwd;
};

/// What credentials are made of.
inline constexpr std::size_t kIceCredentialBytes = 20;

/// In hexadecimal digits: 32 and 128 bits, more than RFC 8445 asks for (section 5.3). `bytes` are
/// at least kIceCredentialBytes, of which the first are taken.
IceCredentials ice_credentials(ByteView bytes);

} // namespace thru
