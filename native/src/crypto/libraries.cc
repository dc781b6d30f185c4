#include "crypto/libraries.h"

#include <cstdlib>

#include <openssl/ssl.h>
#include <sodium.h>

namespace thru {

void prepare_openssl() { OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr); }

void prepare_sodium() {
    static const bool kReady = sodium_init() >= 0;
    if (!kReady) {
        std::abort();
    }
}

} // namespace thru
