// The data that each side sends in clear with its share: CPace's associated data (ADa, ADb). Any
// changed byte makes the tag wrong. Normative text: docs/protocol.md#associated-data
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "crypto/identity.h"
#include "pairing/pairing_secret.h"

namespace thru {

/// The protocol's name in all hash inputs.
inline constexpr std::string_view kPairingLabel = "thru/1 pair";

/// The sender's random contribution that makes each run unique.
using SenderSession = std::array<std::uint8_t, 16>;

/// ADa.
struct ReceiverData {
    Fingerprint fingerprint{};
    PairingSecret::Kind kind = PairingSecret::Kind::Words;
    SecretHint hint{};
    /// A wrong guess that the receiver made with the same words at another server.
    std::optional<GuessId> guess{};
};

/// ADb.
struct SenderData {
    Fingerprint fingerprint{};
    SenderSession session{};
};

Bytes encode_data(const ReceiverData &data);
Bytes encode_data(const SenderData &data);

/// Returns nullopt if malformed or of the other role. Ignores data after the known fields.
std::optional<ReceiverData> decode_receiver_data(ByteView bytes);
std::optional<SenderData> decode_sender_data(ByteView bytes);

} // namespace thru
