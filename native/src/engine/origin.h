// The key by which a receiver recognizes the sender of a previous attempt. It derives from this
// installation's secret and the offered items: stable across restarts, unlinkable between shares.
// Normative text: docs/protocol.md#origin
#pragma once

#include <span>

#include "crypto/secret_key.h"
#include "crypto/signature.h"
#include "source/tree_scan.h"

namespace thru {

/// The key of a share of `items`, in any order. Texts count, by name, only in a share of texts.
SigningKey origin_key(const SecretKey &installation, std::span<const ScanItem> items);

} // namespace thru
