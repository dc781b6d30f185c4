// Key derivation.
#pragma once

#include "base/bytes.h"
#include "crypto/secret_key.h"

namespace thru {

// HKDF (RFC 5869). These end the process when the library fails, which only happens when memory is
// exhausted: no key must be used then.

/// With SHA-256, 32 bytes long. `input` must not be empty.
SecretKey hkdf_sha256(ByteView input, ByteView salt, ByteView info);

/// PRK: what HKDF-Extract makes, and HKDF-Expand makes keys from.
using PseudorandomKey = SecretBytes<64>;

/// `input` must not be empty.
PseudorandomKey hkdf_extract_sha512(ByteView salt, ByteView input);

/// Fills `out`, of 1 to 16320 bytes.
void hkdf_expand_sha512(const PseudorandomKey &key, ByteView info, MutableByteView out);

} // namespace thru
