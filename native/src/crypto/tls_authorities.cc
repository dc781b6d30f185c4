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

bool add_file(X509_STORE *store, const char *file) {
    const bool added = X509_STORE_load_file(store, file) == 1;
    ERR_clear_error();
    return added;
}

/// Adds the file that a person or an administrator named for this process.
void add_named(X509_STORE *store, const char *variable) {
    const char *file = std::getenv(variable);
    if (file != nullptr && *file != '\0') {
        add_file(store, file);
    }
}

} // namespace

TlsAuthorities::TlsAuthorities() : store_(X509_STORE_new()) {}

TlsAuthorities::~TlsAuthorities() { X509_STORE_free(store_); }

std::shared_ptr<const TlsAuthorities> TlsAuthorities::of_system() {
    static const std::shared_ptr<const TlsAuthorities> system = [] {
        prepare_openssl();
        std::shared_ptr<TlsAuthorities> made(new TlsAuthorities);
#ifdef _WIN32
        X509_STORE_load_store(made->store_, "org.openssl.winstore://");
        ERR_clear_error();
#else
        for (const char *bundle : kBundles) {
            if (add_file(made->store_, bundle)) {
                break;
            }
        }
#endif
        add_named(made->store_, "SSL_CERT_FILE");
        add_named(made->store_, "NODE_EXTRA_CA_CERTS");
        return made;
    }();
    return system;
}

Result<std::shared_ptr<const TlsAuthorities>> TlsAuthorities::in_file(const std::string &file) {
    prepare_openssl();
    std::shared_ptr<TlsAuthorities> made(new TlsAuthorities);
    if (!add_file(made->store_, file.c_str())) {
        return fail(ErrorCode::BadArgument, 0, "no certificates in " + file);
    }
    return made;
}

} // namespace thru
