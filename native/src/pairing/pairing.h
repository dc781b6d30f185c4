// Two sides that know the same code tell each other certificate fingerprints and ICE parameters
// through a server that can't read them. Interim form: keys come from the code by HKDF.
// Normative text: docs/protocol.md#pairing. No clock, no sockets; one object for one peer.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "crypto/identity.h"
#include "pairing/join_code.h"

namespace thru {

/// What one side says of itself in its first sealed message.
struct PeerDescription {
    Fingerprint fingerprint{};
    std::string ice_ufrag;
    std::string ice_pwd;
    /// At most 64 bytes of UTF-8; control characters are refused.
    std::string name;
};

/// One ICE candidate as an SDP candidate line (`candidate:...`), at most 512 bytes.
struct RemoteCandidate {
    std::string line;
};
struct RemoteCandidatesDone {};

using PairingEvent = std::variant<PeerDescription, RemoteCandidate, RemoteCandidatesDone>;

/// Payloads are base64url text of at most 8 KiB, opaque to the server.
class Pairing {
public:
    enum class Role : std::uint8_t { Sender, Receiver };

    /// The receiver's first payload is ready at once; the sender's follows the receiver's.
    Pairing(Role role, const JoinCode &code, PeerDescription own);

    /// CodeMismatch when the other side has other words (the payload that tells it so is in
    /// take_payloads), PeerProtocol when malformed, replayed, out of order or beyond a limit.
    /// After an error the object only has payloads left to give.
    Result<std::vector<PairingEvent>> on_payload(std::string_view payload);

    /// Candidates given before the other side is known are kept back until it is.
    void send_candidate(std::string_view line);
    void send_candidates_done();

    /// What to hand to the server, in order.
    std::vector<std::string> take_payloads();

private:
    void seal(std::uint8_t type, ByteView plaintext);

    Role role_;
    JoinCode code_;
    PeerDescription own_;
    std::array<std::uint8_t, 16> run_{};
    std::array<std::uint8_t, 32> send_key_{};
    std::array<std::uint8_t, 32> receive_key_{};
    std::uint64_t sent_ = 0;
    std::uint64_t received_ = 0;
    std::uint32_t candidates_ = 0;
    bool keyed_ = false;
    bool failed_ = false;
    std::vector<std::pair<std::uint8_t, std::string>> held_back_;
    std::vector<std::string> payloads_;
};

} // namespace thru
