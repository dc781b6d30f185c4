#include "crypto/secret_key.h"

#include <sodium.h>

namespace thru {

void wipe(MutableByteView secret) { sodium_memzero(secret.data(), secret.size()); }

void wipe(std::string &secret) {
    sodium_memzero(secret.data(), secret.size());
    secret.clear();
}

} // namespace thru
