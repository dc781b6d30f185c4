// What an ICE agent shows in its connectivity checks, and answers them by.
#pragma once

#include <string>

namespace thru {

/// Characters of RFC 8839, section 5.4.
struct IceCredentials {
    std::string ufrag;
    std::string pwd;
};

} // namespace thru
