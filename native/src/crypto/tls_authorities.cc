#include "crypto/tls_authorities.h"

#include <array>
#include <cstdlib>

#include <openssl/err.h>
#include <openssl/x509_vfy.h>

#include "crypto/libraries.h"

namespace thru {

namespace {

/// The systems' certificate bundles; the first readable one is used.
constexpr std::array<const char *, 5> kBundles{
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"};

TlsAuthorities no_authorities() {
    prepare_openssl();
    return {X509_STORE_new(), X509_STORE_free};
}

bool add_file(const TlsAuthorities &authorities, const char *file) {
    const bool added = X509_STORE_load_file(authorities.get(), file) == 1;
    ERR_clear_error();
    return added;
}

/// Adds the file that a person or an administrator named for this process.
void add_named(const TlsAuthorities &authorities, const char *variable) {
    const char *file = std::getenv(variable);
    if (file != nullptr && *file != '\0') {
        add_file(authorities, file);
    }
}

} // namespace

TlsAuthorities system_authorities() {
    static const TlsAuthorities system = [] {
        auto made = no_authorities();
#ifdef _WIN32
        X509_STORE_load_store(made.get(), "org.openssl.winstore://");
        ERR_clear_error();
#else
        for (const char *bundle : kBundles) {
            if (add_file(made, bundle)) {
                break;
            }
        }
#endif
        add_named(made, "SSL_CERT_FILE");
        add_named(made, "NODE_EXTRA_CA_CERTS");
        return made;
    }();
    return system;
}

Result<TlsAuthorities> authorities_in(const std::string &file) {
    auto made = no_authorities();
    if (!add_file(made, file.c_str())) {
        return fail(ErrorCode::BadArgument, 0, "no certificates in " + file);
    }
    return made;
}

} // namespace thru
