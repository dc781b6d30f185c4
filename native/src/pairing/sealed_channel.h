// Boxes in both directions of one run: each opens once, in order, at the other side only.
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

    /// The next message of this side; the counter of the first is 0.
    SealedPayload seal(ByteView message);

    /// The next message of the other side; nullopt when it isn't, or was changed.
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
