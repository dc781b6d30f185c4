// A second check in addition to the pinned certificates. Each side proves that the pairing's keys
// and this TLS connection belong together, and a contact that it owns its long-term key.
// Normative text: docs/protocol.md#binding
#pragma once

#include <cstddef>
#include <optional>

#include "base/bytes.h"
#include "base/error.h"
#include "crypto/signature.h"
#include "pairing/pairing.h"

namespace thru {

enum class LinkRole : std::uint8_t { Sender, Receiver };

/// The keys that authenticate two contacts to each other.
struct ContactProof {
    SigningKey own;
    PublicKey peer{};
};

/// TLS exporter label of `exported` (RFC 8446 section 7.5).
inline constexpr std::string_view kBindLabel = "EXPORTER-thru1-bind";

class LinkBinding {
public:
    /// `exported` is the connection's exporter value for kBindLabel with the pairing's transcript.
    LinkBinding(LinkRole role, const PairingKeys &keys, const SecretKey &exported,
                std::optional<ContactProof> contact);

    /// The first bytes that this side sends on the control stream.
    Bytes own() const;
    /// Takes the other side's binding from the front of `bytes`, in pieces of any size. Returns the
    /// number of bytes taken; PeerIdentity if the binding is wrong.
    Result<std::size_t> receive(ByteView bytes);
    /// True once the other side's binding is complete and correct.
    bool done() const { return done_; }

private:
    std::size_t size() const;
    /// The text that a contact signs.
    Bytes statement(LinkRole role) const;
    bool is_right() const;

    LinkRole role_;
    SecretKey own_key_;
    SecretKey peer_key_;
    SecretKey exported_;
    std::optional<ContactProof> contact_;
    Bytes received_;
    bool done_ = false;
};

} // namespace thru
