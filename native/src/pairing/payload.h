// What one side hands to the server for the other: base64url text around a fixed layout.
// Normative text: docs/protocol.md#pairing-payload
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "base/bytes.h"
#include "base/error.h"
#include "crypto/aead.h"
#include "crypto/cpace.h"
#include "crypto/digest.h"
#include "pairing/pairing_secret.h"

namespace thru {

inline constexpr std::uint8_t kPairingVersion = 2;
/// Longest payload, in characters; the same as limits.relayBodyBytes in shared/.
inline constexpr std::size_t kMaxPayloadBytes = 8 * 1024;

/// What the first two payloads have in common.
struct ShareFields {
    PairingRun run{};
    /// Ya or Yb, not validated yet.
    CpaceShare share{};
    /// ADa or ADb as it came: all of it is authenticated. See associated_data.h.
    Bytes data;
};
/// The receiver's first.
struct Pake1 : ShareFields {};
/// The sender's answer.
struct Pake2 : ShareFields {};

struct SealedBox {
    BoxNonce nonce{};
    Bytes content;
};

/// What the proofs have in common.
struct ProofFields {
    PairingRun run{};
    /// Ta or Tb.
    LongDigest tag{};
    /// The first message of this side.
    SealedBox box;
};
/// The receiver's proof.
struct Pake3 : ProofFields {};
/// The sender's proof.
struct Pake4 : ProofFields {};

struct SealedPayload {
    PairingRun run{};
    /// 1 for the first after a side's proof, then one more each time.
    std::uint64_t counter = 0;
    SealedBox box;
};

/// Not sealed, so anybody may have made it: it can end a pairing and nothing else.
struct FailurePayload {
    PairingRun run{};
    /// CodeMismatch, CodeLocked, RateLimited, TooManyReceivers, ContactUnknown or PeerVersion.
    ErrorCode code = ErrorCode::CodeMismatch;
};

using PairingPayload = std::variant<Pake1, Pake2, Pake3, Pake4, SealedPayload, FailurePayload>;

std::string encode_payload(const PairingPayload &payload);

/// PeerProtocol when malformed, too long or a failure with another code; PeerVersion when it is
/// of another version.
Result<PairingPayload> decode_payload(std::string_view text);

} // namespace thru
