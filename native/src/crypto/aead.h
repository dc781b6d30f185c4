// Sealed boxes: XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha), whose long nonces may be random.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "crypto/secret_key.h"

namespace thru {

using BoxNonce = std::array<std::uint8_t, 24>;

/// Bytes by which a box is longer than its content.
inline constexpr std::size_t kBoxOverheadBytes = 16;

/// A random nonce; every box needs a new one.
BoxNonce random_box_nonce();

Bytes seal_box(const SecretKey &key, const BoxNonce &nonce, ByteView associated, ByteView content);

/// The content; nullopt unless key, nonce, associated data and box match those of seal_box.
std::optional<Bytes> open_box(const SecretKey &key, const BoxNonce &nonce, ByteView associated,
                              ByteView box);

} // namespace thru
