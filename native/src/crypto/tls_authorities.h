// The certificate authorities that this computer trusts for servers on the internet.
#pragma once

#include <memory>
#include <string>

#include <openssl/types.h>

#include "base/error.h"

namespace thru {

/// Unchanged once made; any thread. Only crypto/ looks inside.
using TlsAuthorities = std::shared_ptr<X509_STORE>;

/// The authorities of the system, SSL_CERT_FILE and NODE_EXTRA_CA_CERTS, as for `wss:`. Read once,
/// on the first call; unreadable files are skipped.
TlsAuthorities system_authorities();
/// The authorities in a PEM file. BadArgument if it has none.
Result<TlsAuthorities> authorities_in(const std::string &file);

} // namespace thru
