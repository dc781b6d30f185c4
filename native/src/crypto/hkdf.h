#pragma once

#include "base/bytes.h"
#include "crypto/secret_key.h"

namespace thru {

// HKDF (RFC 5869). These functions end the process if the library fails, which happens only when
// memory is exhausted: no key would be safe to use.

/// Derives 32 bytes with SHA-256. `input` must not be empty.
SecretKey hkdf_sha256(ByteView input, ByteView salt, ByteView info);

/// PRK: the output of HKDF-Extract and the input of HKDF-Expand.
using PseudorandomKey = SecretBytes<64>;

/// `input` must not be empty.
PseudorandomKey hkdf_extract_sha512(ByteView salt, ByteView input);

/// Fills `out`, of 1 to 16320 bytes.
void hkdf_expand_sha512(const PseudorandomKey &key, ByteView info, MutableByteView out);

} // namespace thru
