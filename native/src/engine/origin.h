// The key by which a receiver recognizes the sender of a previous attempt: derived from this
// installation's secret and the offered items, so that the same items show the same key after a
// restart, and different shares have nothing in common. Normative text: docs/protocol.md#origin
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

/// The key of a share of `items`, whatever their order. Texts count by their names, and only when
/// there is nothing else.
SigningKey origin_key(const SecretKey &installation, std::span<const ScanItem> items);

/// The sender's message. `exported`: the connection's exporter value for kOriginLabel with the
/// pairing's transcript.
Origin signed_origin(const SigningKey &key, const SecretKey &exported);

/// What a journal remembers of the sender; nullopt when the key is not its own.
std::optional<OriginId> verified_origin(const Origin &origin, const SecretKey &exported);

} // namespace thru
