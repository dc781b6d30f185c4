#include "crypto/versions.h"

#include <blake3.h>
#include <openssl/crypto.h>
#include <sodium.h>

namespace thru {

CryptoVersions crypto_versions() {
    return {.openssl = OpenSSL_version(OPENSSL_VERSION_STRING),
            .sodium = sodium_version_string(),
            .blake3 = blake3_version()};
}

} // namespace thru
