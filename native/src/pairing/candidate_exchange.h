// The messages after the proofs: which candidates each side has sent, and may still send. Normative
// text: docs/protocol.md#pairing-candidates
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
    /// The message with this candidate; nullopt when the other side would not accept it, when it
    /// exceeds the limit, or after the end was sent.
    std::optional<Bytes> announce(std::string_view line);
    /// The message that says that no more follow; nullopt when it was sent before.
    std::optional<Bytes> announce_done();

    /// A message of the other side. PeerProtocol when malformed or out of order. Messages of
    /// unknown types, and candidates that are of no use or too many, are no event.
    Result<std::vector<PairingEvent>> on_message(ByteView message);

private:
    struct Announced {
        std::uint32_t candidates = 0;
        std::uint32_t named = 0;
        bool done = false;
        /// Counts one of this kind; false: it is of no use, or there were too many.
        bool count(CandidateCheck check);
    };
    Result<std::vector<PairingEvent>> on_candidate(std::string_view line);

    Announced own_;
    Announced peer_;
};

} // namespace thru
