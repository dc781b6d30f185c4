// The one certificate that a TLS connection accepts. Private to crypto/.
#pragma once

#include <openssl/types.h>

#include "base/error.h"
#include "crypto/identity.h"

namespace thru {

/// SHA-256 of its DER bytes. Internal when the library fails.
Result<Fingerprint> fingerprint_of(const X509 *certificate);

/// kAlpn was negotiated.
bool speaks_our_protocol(const SSL *ssl);

/// Takes the place of chain verification in this context: the one certificate whose fingerprint the
/// pairing authenticated, whatever its dates and names. False when the library can't keep it.
bool pin_peer(SSL_CTX *context, const Fingerprint &peer);

} // namespace thru
