// Two sides that know the same secret prove it to each other through a server that learns nothing,
// pin each other's certificates, derive ICE credentials, and then tell each other candidates in
// sealed messages.
// Normative text: docs/protocol.md#pairing. No clock, no sockets; one object for one run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "base/relay_use.h"
#include "crypto/ice_credentials.h"
#include "crypto/identity.h"
#include "crypto/secret_key.h"
#include "pairing/pairing_secret.h"

namespace thru {

/// What one side says of itself; the fingerprint beside its share, the rest sealed.
struct PeerDescription {
    Fingerprint fingerprint{};
    /// At most 64 bytes of UTF-8; control characters are refused.
    std::string name;
    RelayUse relay_use = RelayUse::Automatic;
};

/// What a proven pairing leaves behind.
struct PairingKeys {
    /// Keys of the messages that bind the QUIC connection, one for each side.
    SecretKey bind_receiver;
    SecretKey bind_sender;
    /// PairingSecret::Kind::Resume of a later run.
    SecretKey resume;
    /// Hash of all that both sides said (SHA-512); the context of the TLS exporter.
    std::array<std::uint8_t, 64> transcript{};
    /// Six decimal digits for two people to compare.
    std::string safety;
};

/// One ICE candidate as an SDP candidate line (`candidate:...`), at most 512 bytes.
struct RemoteCandidate {
    std::string line;
};
/// The same with a name of mDNS in place of the address.
struct NamedCandidate {
    std::string line;
};
struct RemoteCandidatesDone {};

/// Sender: somebody wants to come in by a secret of this kind; admit or refuse it. Nothing was
/// revealed yet.
struct PairingRequested {
    PairingSecret::Kind kind = PairingSecret::Kind::Words;
    PairingRun run{};
    SecretHint hint{};
    /// The guess that the receiver says it made with the same words at another place.
    std::optional<GuessId> earlier{};
};
/// Follows from the keys, and both sides may begin checks. Receiver: nobody has proved anything
/// yet, but only who knows the secret can have the same.
struct PairingKeyed {
    /// The other side's.
    Fingerprint fingerprint{};
    IceCredentials own;
    IceCredentials peer;
};
/// The other side knows the secret, and `keys` are there.
struct PairingProven {
    PeerDescription peer;
};

/// Candidates of one side that count; further ones are dropped without a word.
inline constexpr std::uint32_t kMaxPeerCandidates = 32;
/// Of these, so many may have names. A computer has one for each of its addresses.
inline constexpr std::uint32_t kMaxNamedCandidates = 8;

using PairingEvent = std::variant<PairingRequested, PairingKeyed, PairingProven, RemoteCandidate,
                                  NamedCandidate, RemoteCandidatesDone>;

/// Payloads are base64url text of at most 8 KiB, opaque to the server.
class Pairing {
public:
    /// The receiver's first payload is ready at once. `earlier`: the guess of a run with the same
    /// words that a sender called wrong.
    static Pairing receiver(std::string nameplate, const PairingSecret &secret, PeerDescription own,
                            const std::optional<GuessId> &earlier = {});
    /// The sender's follow the receiver's.
    static Pairing sender(std::string nameplate, PeerDescription own);
    ~Pairing();
    Pairing(Pairing &&) noexcept;
    Pairing &operator=(Pairing &&) noexcept;

    /// Errors end the pairing; only payloads that tell the other side are left to take then.
    /// Sender: CodeMismatch is a wrong guess, a tag that did not fit; it is never given for
    /// anything else. Receiver: CodeMismatch, CodeLocked, RateLimited, TooManyReceivers,
    /// ContactUnknown and PeerVersion when the other side says so (it may be the server that does);
    /// PeerIdentity when the sender's tag is wrong. Both: PeerVersion; SignalingAltered for a
    /// sealed message that was changed, repeated, left out or reordered; PeerProtocol for all else
    /// that is malformed or out of order. After PairingProven a payload that can't be read at all
    /// is SignalingAltered, too.
    Result<std::vector<PairingEvent>> on_payload(std::string_view payload);

    /// Sender, after PairingRequested: continues with this secret. PeerProtocol for a receiver with
    /// an invalid share (no group element, or the identity): nothing is sent to it, and the run
    /// ends.
    Result<> admit(const PairingSecret &secret);
    /// Sender, after PairingRequested until PairingProven: tells the other side why not, and ends
    /// it. `code` is one of CodeMismatch, CodeLocked, RateLimited, TooManyReceivers,
    /// ContactUnknown.
    void refuse(ErrorCode code);

    /// Receiver: set once it has shown its tag; sender: set after a wrong tag. Both have the same
    /// value if nobody between them changed the run.
    const std::optional<GuessId> &guess() const;

    /// Only after PairingProven.
    const PairingKeys &keys() const;

    /// Candidates given before they can be sealed are kept back until then. Those that the other
    /// side would refuse or ignore are left out, and so is what comes after kMaxPeerCandidates or
    /// after send_candidates_done. The receiver's follow right behind its proof.
    void send_candidate(std::string_view line);
    void send_candidates_done();

    /// What to hand to the server, in order.
    std::vector<std::string> take_payloads();

private:
    struct State;
    explicit Pairing(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace thru
