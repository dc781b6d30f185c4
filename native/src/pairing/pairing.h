// Two sides that know the same secret prove it to each other through a server that learns nothing.
// They pin each other's certificates, derive ICE credentials, and exchange sealed candidates.
// Normative text: docs/protocol.md#pairing. No clock, no sockets; one object per run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/relay_use.h"
#include "crypto/ice_credentials.h"
#include "crypto/identity.h"
#include "crypto/secret_key.h"
#include "pairing/pairing_secret.h"

namespace thru {

/// One side's description of itself. The fingerprint is sent with its share, the rest sealed.
struct PeerDescription {
    Fingerprint fingerprint{};
    /// At most 64 bytes of UTF-8; control characters are refused.
    std::string name;
    RelayUse relay_use = RelayUse::Automatic;
};

/// The keys of a proven pairing.
struct PairingKeys {
    /// Keys of each side's messages that bind the QUIC connection.
    SecretKey bind_receiver;
    SecretKey bind_sender;
    /// Secret of kind PairingSecret::Kind::Resume for a later run.
    SecretKey resume;
    /// SHA-512 of the data exchanged by both sides; the context of the TLS exporter.
    std::array<std::uint8_t, 64> transcript{};
    /// Six decimal digits for two people to compare.
    std::string safety;
};

/// One ICE candidate as an SDP candidate line (`candidate:...`), at most 512 bytes.
struct RemoteCandidate {
    std::string line;
};
/// The same with an mDNS name instead of the address.
struct NamedCandidate {
    std::string line;
};
struct RemoteCandidatesDone {};

/// Sender: a receiver requests access by a secret of this kind; nothing has been revealed yet.
struct PairingRequested {
    PairingSecret::Kind kind = PairingSecret::Kind::Words;
    PairingRun run{};
    SecretHint hint{};
    /// The guess that the receiver claims to have made with the same words at another server.
    std::optional<GuessId> earlier{};
};
/// Both sides have the keys and may begin checks. For the receiver, nothing is proven yet, but only
/// a sender with the secret can have the same keys.
struct PairingKeyed {
    /// The other side's fingerprint.
    Fingerprint fingerprint{};
    IceCredentials own;
    IceCredentials peer;
};
/// The other side knows the secret; `keys` is available.
struct PairingProven {
    PeerDescription peer;
};

/// Maximum number of candidates from one side; further ones are dropped silently.
inline constexpr std::uint32_t kMaxPeerCandidates = 32;
/// Maximum number of these with names. A computer has one per address.
inline constexpr std::uint32_t kMaxNamedCandidates = 8;

using PairingEvent = std::variant<PairingRequested, PairingKeyed, PairingProven, RemoteCandidate,
                                  NamedCandidate, RemoteCandidatesDone>;

/// Payloads are base64url text of at most 8 KiB, opaque to the server.
class Pairing {
public:
    /// `earlier`: a guess with the same words that a sender rejected. The first payload is ready.
    static Pairing receiver(std::string nameplate, const PairingSecret &secret, PeerDescription own,
                            const std::optional<GuessId> &earlier = {});
    /// The sender's payloads answer the receiver's.
    static Pairing sender(std::string nameplate, PeerDescription own);
    ~Pairing();
    Pairing(Pairing &&) noexcept;
    Pairing &operator=(Pairing &&) noexcept;

    /// Errors end the pairing; after one, only payloads that inform the other side remain. Sender:
    /// CodeMismatch means a wrong guess, a tag that didn't match, and nothing else. Receiver:
    /// CodeMismatch, CodeLocked, CodeRequests, RateLimited, TooManyReceivers, ContactUnknown and
    /// PeerVersion are reported by the other side, or by the server in its name. PeerIdentity means
    /// that the sender's tag is wrong. Both: PeerVersion; SignalingAltered for a sealed message
    /// that was changed, repeated, dropped or reordered; PeerProtocol for anything else malformed
    /// or out of order. After PairingProven, an unreadable payload is also SignalingAltered.
    Result<std::vector<PairingEvent>> on_payload(std::string_view payload);

    /// Sender, after PairingRequested: continues with this secret. PeerProtocol if the receiver's
    /// share is invalid (not a group element, or the identity): the run ends without an answer.
    Result<> admit(const PairingSecret &secret);
    /// Sender, between PairingRequested and PairingProven: ends the run with a reason, which is
    /// CodeMismatch, CodeLocked, RateLimited, TooManyReceivers or ContactUnknown.
    void refuse(ErrorCode code);

    /// Set once the receiver has shown its tag, or at the sender after a wrong tag. Both values are
    /// equal if the run was not tampered with.
    const std::optional<GuessId> &guess() const;

    /// Only after PairingProven.
    const PairingKeys &keys() const;

    /// Candidates are held back until they can be sealed. Candidates that the other side would
    /// refuse or ignore are dropped, as are those beyond kMaxPeerCandidates or after
    /// send_candidates_done. The receiver's follow directly after its proof.
    void send_candidate(std::string_view line);
    void send_candidates_done();

    /// Payloads for the server, in order.
    std::vector<std::string> take_payloads();

private:
    struct State;
    explicit Pairing(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace thru
