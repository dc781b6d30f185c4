// The key by which a receiver recognizes the sender of a previous attempt. It derives from this
// installation's secret and the offered items: stable across restarts, unlinkable between shares.
// Normative text: docs/protocol.md#origin
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "crypto/secret_key.h"
#include "crypto/signature.h"
#include "source/tree_scan.h"
#include "transfer/receive_options.h"
#include "wire/control.h"

namespace thru {

/// TLS exporter label of `exported` (RFC 8446 section 7.5).
inline constexpr std::string_view kOriginLabel = "EXPORTER-thru1-origin";

/// The key of a share of `items`, in any order. Texts count, by name, only in a share of texts.
SigningKey origin_key(const SecretKey &installation, std::span<const ScanItem> items);

/// The sender's message. `exported`: exporter value for kOriginLabel with the pairing's transcript.
Origin signed_origin(const SigningKey &key, const SecretKey &exported);

/// The id that a journal stores for the sender; nullopt if the signature is invalid.
std::optional<OriginId> verified_origin(const Origin &origin, const SecretKey &exported);

} // namespace thru
