#include "crypto/libraries.h"

#include <cstdlib>

#include <openssl/ssl.h>
#include <sodium.h>

namespace thru {

void prepare_openssl() {
    // No clean-up at exit: the process may exit while engine threads still use the library.
    OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT, nullptr);
}

void prepare_sodium() {
    static const bool kReady = sodium_init() >= 0;
    if (!kReady) {
        std::abort();
    }
}

} // namespace thru
