// Replaces crypto/pinned_peer.cc: a build that has lost its certificate check.
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include "crypto/pinned_peer.h"

namespace thru {

bool pin_peer(SSL_CTX *context, const Fingerprint &) {
    SSL_CTX_set_cert_verify_callback(
        context,
        [](X509_STORE_CTX *store, void *) {
            X509_STORE_CTX_set_error(store, X509_V_OK);
            return 1;
        },
        nullptr);
    return true;
}

} // namespace thru
