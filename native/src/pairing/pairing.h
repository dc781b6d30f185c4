// Two sides that know the same code tell each other certificate fingerprints and ICE parameters
// through a server that can't read them. Interim form: keys come from the code by HKDF.
// Normative text: docs/protocol.md#pairing. No clock, no sockets; one object for one peer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "crypto/identity.h"
#include "crypto/secret_key.h"
#include "pairing/join_code.h"
#include "pairing/payload.h"

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

/// Candidates of one side that count; further ones are dropped without a word.
inline constexpr std::uint32_t kMaxPeerCandidates = 32;

using PairingEvent = std::variant<PeerDescription, RemoteCandidate, RemoteCandidatesDone>;

/// Payloads are base64url text of at most 8 KiB, opaque to the server.
class Pairing {
public:
    enum class Role : std::uint8_t { Sender, Receiver };

    /// The receiver's first payload is ready at once; the sender's follows the receiver's.
    Pairing(Role role, const JoinCode &code, PeerDescription own);
    ~Pairing();
    Pairing(Pairing &&) noexcept = default;
    Pairing &operator=(Pairing &&) noexcept = default;

    /// CodeMismatch when the other side has other words (the payload that tells it so is in
    /// take_payloads), PeerProtocol when malformed, replayed, out of order or beyond a limit.
    /// CodeMismatch and PeerVersion also when the other side says so; it may be the server that
    /// does. After an error the object only has payloads left to give.
    Result<std::vector<PairingEvent>> on_payload(std::string_view payload);

    /// Candidates given before the other side is known are kept back until it is. Those that the
    /// other side would refuse or ignore are left out, and so is what comes after
    /// kMaxPeerCandidates or after send_candidates_done.
    void send_candidate(std::string_view line);
    void send_candidates_done();

    /// What to hand to the server, in order.
    std::vector<std::string> take_payloads();

private:
    enum class MessageType : std::uint8_t { Description = 1, Candidate = 2, CandidatesDone = 3 };

    void derive_keys();
    void queue(MessageType type, std::string_view content);
    void seal(MessageType type, ByteView content);
    void describe_self();
    /// Tells the other side why it ends; the error to return.
    std::unexpected<Error> refuse(ErrorCode code, const char *detail);
    Result<std::vector<PairingEvent>> take(std::string_view payload);
    Result<Bytes> open(const SealedPayload &sealed);
    Result<std::vector<PairingEvent>> on_message(ByteView message);
    Result<std::vector<PairingEvent>> on_description(ByteView content);
    Result<std::vector<PairingEvent>> on_candidate(std::string_view line);

    Role role_;
    JoinCode code_;
    PeerDescription own_;
    PairingRun run_{};
    SecretKey send_key_;
    SecretKey receive_key_;
    std::uint64_t sent_ = 0;
    std::uint64_t received_ = 0;
    std::uint32_t own_candidates_ = 0;
    std::uint32_t peer_candidates_ = 0;
    /// The run is chosen and both keys are made.
    bool keyed_ = false;
    /// The other side described itself, so it knows the words.
    bool peer_known_ = false;
    bool own_candidates_done_ = false;
    bool peer_candidates_done_ = false;
    bool failed_ = false;
    std::vector<std::pair<MessageType, std::string>> held_back_;
    std::vector<std::string> payloads_;
};

} // namespace thru
