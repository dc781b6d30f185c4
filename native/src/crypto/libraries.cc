#include "crypto/libraries.h"

#include <cstdlib>

#include <openssl/ssl.h>
#include <sodium.h>

namespace thru {

void prepare_openssl() {
    // It must not clean up at exit: a process may leave while its engines' threads work with it.
    OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT, nullptr);
}

void prepare_sodium() {
    static const bool kReady = sodium_init() >= 0;
    if (!kReady) {
        std::abort();
    }
}

} // namespace thru
