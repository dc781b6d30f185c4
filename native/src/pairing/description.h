// The content of a side's first sealed message. Normative text: docs/protocol.md#description
#pragma once

#include <optional>

#include "base/bytes.h"
#include "pairing/pairing.h"

namespace thru {

/// Omits the fingerprint, which is sent with the share. Turns the name into one that peers accept.
Bytes encode_description(const PeerDescription &description);

/// Leaves the fingerprint empty. Returns nullopt if malformed; ignores data after the known fields.
std::optional<PeerDescription> decode_description(ByteView message);

} // namespace thru
