// What a side's first sealed message says.
// Normative text: docs/protocol.md#description
#pragma once

#include <optional>

#include "base/bytes.h"
#include "pairing/pairing.h"

namespace thru {

/// Without the fingerprint, which stands beside the share. The name is made one that peers take.
Bytes encode_description(const PeerDescription &description);

/// Without the fingerprint. nullopt when malformed; what follows the known fields is ignored.
std::optional<PeerDescription> decode_description(ByteView message);

} // namespace thru
