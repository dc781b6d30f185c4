#pragma once

#include <string>

namespace thru {

struct CryptoVersions {
    std::string openssl;
    std::string sodium;
    std::string blake3;
};

CryptoVersions crypto_versions();

} // namespace thru
