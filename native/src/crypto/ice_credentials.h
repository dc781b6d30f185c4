// The credentials that an ICE agent shows in its connectivity checks and expects in theirs.
#pragma once

#include <cstddef>
#include <string>

#include "base/bytes.h"
#include "crypto/secret_key.h"

namespace thru {

/// Both consist of ICE characters (RFC 8839, section 5.4).
struct IceCredentials {
    /// Part of every check.
    std::string ufrag;
    /// Copies are wiped when destroyed.
    SecretText pwd;
};

/// Number of bytes that credentials are made from.
inline constexpr std::size_t kIceCredentialBytes = 20;

/// Hexadecimal digits of 32 and 128 bits, more than RFC 8445 requires (section 5.3). Uses the first
/// kIceCredentialBytes of `bytes`, which must not be shorter.
IceCredentials ice_credentials(ByteView bytes);

} // namespace thru
