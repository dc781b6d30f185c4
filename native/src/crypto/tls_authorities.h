// Whom this computer believes: the authorities that vouch for servers on the internet.
#pragma once

#include <memory>
#include <string>

#include <openssl/types.h>

#include "base/error.h"

namespace thru {

/// Immutable, usable from any thread.
class TlsAuthorities {
public:
    /// Those of the system, and those in the file that NODE_EXTRA_CA_CERTS names, as `wss:`
    /// believes them. Read once, at the first call; what can't be read is left out.
    static std::shared_ptr<const TlsAuthorities> of_system();
    /// Those in a file of PEM. BadArgument when there are none.
    static Result<std::shared_ptr<const TlsAuthorities>> in_file(const std::string &file);

    ~TlsAuthorities();
    TlsAuthorities(const TlsAuthorities &) = delete;
    TlsAuthorities &operator=(const TlsAuthorities &) = delete;

    /// For contexts of crypto/.
    X509_STORE *store() const { return store_; }

private:
    TlsAuthorities();
    X509_STORE *store_;
};

} // namespace thru
