// The payloads that the server passes between the sides: base64url text of a fixed layout.
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
/// Maximum length of a payload in characters; the same as limits.relayBodyBytes in shared/.
inline constexpr std::size_t kMaxPayloadBytes = 8 * 1024;

/// The fields that the first two payloads share.
struct ShareFields {
    PairingRun run{};
    /// Ya or Yb, not validated yet.
    CpaceShare share{};
    /// ADa or ADb as received, because all of it is authenticated. See associated_data.h.
    Bytes data;
};
/// The receiver's first payload.
struct Pake1 : ShareFields {};
/// The sender's answer.
struct Pake2 : ShareFields {};

struct SealedBox {
    BoxNonce nonce{};
    Bytes content;
};

/// The fields that the proofs share.
struct ProofFields {
    PairingRun run{};
    /// Ta or Tb.
    LongDigest tag{};
    /// The first sealed message of this side.
    SealedBox box;
};
/// The receiver's proof.
struct Pake3 : ProofFields {};
/// The sender's proof.
struct Pake4 : ProofFields {};

struct SealedPayload {
    PairingRun run{};
    /// 1 for the first after a side's proof, then rising by one.
    std::uint64_t counter = 0;
    SealedBox box;
};

/// Not sealed, so it could be forged: it can end a pairing and nothing else.
struct FailurePayload {
    PairingRun run{};
    /// CodeMismatch, CodeLocked, CodeRequests, RateLimited, TooManyReceivers, ContactUnknown or
    /// PeerVersion.
    ErrorCode code = ErrorCode::CodeMismatch;
};

using PairingPayload = std::variant<Pake1, Pake2, Pake3, Pake4, SealedPayload, FailurePayload>;

std::string encode_payload(const PairingPayload &payload);

/// PeerProtocol if malformed, too long or an unknown failure; PeerVersion for another version.
Result<PairingPayload> decode_payload(std::string_view text);

} // namespace thru
