// The certificate authorities that this computer trusts for servers on the internet.
#pragma once

#include <memory>
#include <string>

#include <openssl/types.h>

#include "base/error.h"

namespace thru {

/// Immutable; any thread.
class TlsAuthorities {
public:
    /// The authorities of the system, SSL_CERT_FILE and NODE_EXTRA_CA_CERTS, as for `wss:`. Read
    /// once, on the first call; unreadable files are skipped.
    static std::shared_ptr<const TlsAuthorities> of_system();
    /// The authorities in a PEM file. BadArgument if it has none.
    static Result<std::shared_ptr<const TlsAuthorities>> in_file(const std::string &file);

    ~TlsAuthorities();
    TlsAuthorities(const TlsAuthorities &) = delete;
    TlsAuthorities &operator=(const TlsAuthorities &) = delete;

    /// Only contexts in crypto/ use this.
    X509_STORE *store() const { return store_; }

private:
    TlsAuthorities();
    X509_STORE *store_;
};

} // namespace thru
