// Candidates of both sides after the proofs. Normative text: docs/protocol.md#pairing-candidates
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "pairing/ice_candidate.h"
#include "pairing/pairing.h"

namespace thru {

class CandidateExchange {
public:
    /// The message with this candidate; nullopt if the other side would not accept it, if it
    /// exceeds the limit, or after the end was sent.
    std::optional<Bytes> announce(std::string_view line);
    /// The message that ends the candidates; nullopt if it was already sent.
    std::optional<Bytes> announce_done();

    /// Takes a message from the other side. PeerProtocol if malformed or out of order. Unknown
    /// types, useless candidates and those over the limit cause no event.
    Result<std::vector<PairingEvent>> on_message(ByteView message);

private:
    struct Announced {
        std::uint32_t candidates = 0;
        std::uint32_t named = 0;
        bool done = false;
        /// Counts a candidate of this kind; false if it is useless or over the limit.
        bool count(CandidateCheck check);
    };
    Result<std::vector<PairingEvent>> on_candidate(std::string_view line);

    Announced own_;
    Announced peer_;
};

} // namespace thru
