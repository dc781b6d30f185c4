// What one side hands to the server for the other: base64url text around a fixed layout.
// Normative text: docs/protocol.md#pairing-payload
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "base/bytes.h"
#include "base/error.h"
#include "crypto/aead.h"

namespace thru {

/// Chosen by the receiver at random; names one attempt to pair.
using PairingRun = std::array<std::uint8_t, 16>;

inline constexpr std::uint8_t kPairingVersion = 1;
/// Longest payload, in characters; the same as limits.relayBodyBytes in shared/.
inline constexpr std::size_t kMaxPayloadBytes = 8 * 1024;

struct SealedPayload {
    PairingRun run{};
    /// 0 for a side's first message, then one more each time.
    std::uint64_t counter = 0;
    BoxNonce nonce{};
    Bytes box;
};

/// Not sealed, so anybody may have made it: it can end a pairing and nothing else.
struct FailurePayload {
    PairingRun run{};
    /// CodeMismatch or PeerVersion.
    ErrorCode code = ErrorCode::CodeMismatch;
};

using PairingPayload = std::variant<SealedPayload, FailurePayload>;

std::string encode_payload(const PairingPayload &payload);

/// PeerProtocol when malformed, too long or a failure with another code; PeerVersion when it is
/// of another version.
Result<PairingPayload> decode_payload(std::string_view text);

} // namespace thru
