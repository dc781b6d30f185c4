// What each side says of itself beside its share, in clear: CPace's associated data (ADa, ADb). A
// changed byte of it is a wrong tag. Normative text: docs/protocol.md#associated-data
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "crypto/identity.h"
#include "pairing/pairing_secret.h"

namespace thru {

/// The name of this protocol in all that is hashed.
inline constexpr std::string_view kPairingLabel = "thru/1 pair";

/// Chosen by the sender at random for each run: its own part in making the run unique.
using SenderSession = std::array<std::uint8_t, 16>;

/// ADa.
struct ReceiverData {
    Fingerprint fingerprint{};
    PairingSecret::Kind kind = PairingSecret::Kind::Words;
    SecretHint hint{};
    /// The guess that was made with the same words at another place, and was wrong.
    std::optional<GuessId> guess{};
};

/// ADb.
struct SenderData {
    Fingerprint fingerprint{};
    SenderSession session{};
};

Bytes encode_data(const ReceiverData &data);
Bytes encode_data(const SenderData &data);

/// nullopt when malformed, or the other role's. What follows the known fields is ignored here.
std::optional<ReceiverData> decode_receiver_data(ByteView bytes);
std::optional<SenderData> decode_sender_data(ByteView bytes);

} // namespace thru
