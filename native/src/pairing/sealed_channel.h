// Boxes in both directions of one run: each opens once, in order, only at the other side.
// Normative text: docs/protocol.md#sealed-messages
#pragma once

#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "crypto/secret_key.h"
#include "pairing/key_schedule.h"
#include "pairing/payload.h"

namespace thru {

enum class PairingRole : std::uint8_t { Sender = 1, Receiver = 2 };

class SealedChannel {
public:
    SealedChannel(PairingRole own, const PairingRun &run, const KeySchedule &schedule);

    /// Seals this side's next message; the first has counter 0.
    SealedPayload seal(ByteView message);

    /// Opens the other side's next message; nullopt if it is out of order or was changed.
    std::optional<Bytes> open(const SealedPayload &payload);

private:
    struct Direction {
        PairingRole from;
        SecretKey key;
        std::uint64_t next = 0;
    };
    Bytes associated_data(const Direction &direction) const;

    PairingRun run_;
    Direction own_;
    Direction peer_;
};

} // namespace thru
