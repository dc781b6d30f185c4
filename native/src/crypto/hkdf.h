// Key derivation.
#pragma once

#include "base/bytes.h"
#include "crypto/secret_key.h"

namespace thru {

/// HKDF with SHA-256 (RFC 5869), 32 bytes long. `input` must not be empty. Ends the process when
/// the library fails, which only happens when memory is exhausted: no key must be used then.
SecretKey hkdf_sha256(ByteView input, ByteView salt, ByteView info);

} // namespace thru
