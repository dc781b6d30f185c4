// The message by which a sender proves that it is the one of a previous attempt.
// Normative text: docs/protocol.md#origin
#pragma once

#include <optional>
#include <string_view>

#include "crypto/secret_key.h"
#include "crypto/signature.h"
#include "transfer/receive_options.h"
#include "wire/control.h"

namespace thru {

/// TLS exporter label of `exported` (RFC 8446 section 7.5).
inline constexpr std::string_view kOriginLabel = "EXPORTER-thru1-origin";
/// Separates these signatures, and the keys for them, from others.
inline constexpr std::string_view kOriginContext = "thru/1 origin";

/// The sender's message. `exported`: exporter value for kOriginLabel with the pairing's transcript.
Origin signed_origin(const SigningKey &key, const SecretKey &exported);

/// The id that a receiver stores for the sender; nullopt if the signature is invalid.
std::optional<OriginId> verified_origin(const Origin &origin, const SecretKey &exported);

} // namespace thru
