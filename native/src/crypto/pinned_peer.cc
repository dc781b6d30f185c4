#include "crypto/pinned_peer.h"

#include <memory>

#include <openssl/ssl.h>
#include <openssl/x509.h>

namespace thru {

namespace {

/// The context owns the expected fingerprint and frees it.
int fingerprint_slot() {
    static const int kSlot =
        SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr,
                                 [](void *, void *fingerprint, CRYPTO_EX_DATA *, int, long,
                                    void *) { delete static_cast<Fingerprint *>(fingerprint); });
    return kSlot;
}

/// Called after ALPN has been negotiated, on both sides.
int verify_peer(X509_STORE_CTX *store, void *) {
    const auto *ssl =
        static_cast<SSL *>(X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()));
    const auto *expected = static_cast<const Fingerprint *>(
        SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), fingerprint_slot()));
    const auto *certificate = X509_STORE_CTX_get0_cert(store);
    const auto presented = fingerprint_of(certificate);
    if (expected != nullptr && presented && digests_equal(*presented, *expected) &&
        speaks_our_protocol(ssl)) {
        X509_STORE_CTX_set_error(store, X509_V_OK);
        return 1;
    }
    X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_REJECTED);
    return 0;
}

} // namespace

bool pin_peer(SSL_CTX *context, const Fingerprint &peer) {
    auto expected = std::make_unique<Fingerprint>(peer);
    if (SSL_CTX_set_ex_data(context, fingerprint_slot(), expected.get()) != 1) {
        return false;
    }
    // The context owns it from here on.
    static_cast<void>(expected.release());
    SSL_CTX_set_cert_verify_callback(context, verify_peer, nullptr);
    return true;
}

} // namespace thru
