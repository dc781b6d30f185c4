// The one certificate that a TLS connection accepts. Private to crypto/.
#pragma once

#include <openssl/types.h>

#include "base/error.h"
#include "crypto/identity.h"

namespace thru {

/// SHA-256 of the certificate's DER bytes. Internal if the library fails.
Result<Fingerprint> fingerprint_of(const X509 *certificate);

/// True if kAlpn was negotiated.
bool speaks_our_protocol(const SSL *ssl);

/// Replaces chain verification in this context: only the certificate with the fingerprint that the
/// pairing authenticated is accepted, whatever its dates and names. False if the library fails.
bool pin_peer(SSL_CTX *context, const Fingerprint &peer);

} // namespace thru
