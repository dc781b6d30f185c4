// What an ICE agent shows in its connectivity checks, and answers them by.
#pragma once

#include <string>

#include "crypto/secret_key.h"

namespace thru {

/// Characters of RFC 8839, section 5.4.
struct IceCredentials {
    /// Every check shows it.
    std::string ufrag;
    /// Copies are wiped when they go.
    SecretText pwd;
};

} // namespace thru
