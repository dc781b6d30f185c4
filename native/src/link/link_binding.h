// The second lock beside the pinned certificates: each side shows that the pairing's keys and this
// very TLS connection belong together, and a contact that it owns its long-term key.
// Normative text: docs/protocol.md#binding
#pragma once

#include <cstddef>
#include <optional>

#include "base/bytes.h"
#include "base/error.h"
#include "crypto/signature.h"
#include "pairing/pairing.h"

namespace thru {

/// Which end of a link this is.
enum class LinkRole : std::uint8_t { Sender, Receiver };

/// By which two contacts prove who they are.
struct ContactProof {
    SigningKey own;
    PublicKey peer{};
};

/// TLS exporter label of `exported` (RFC 8446 section 7.5).
inline constexpr std::string_view kBindLabel = "EXPORTER-thru1-bind";

class LinkBinding {
public:
    /// `exported`: the connection's exporter value for kBindLabel with the pairing's transcript.
    LinkBinding(LinkRole role, const PairingKeys &keys, const SecretKey &exported,
                std::optional<ContactProof> contact);

    /// The first bytes of this side's half of the control stream.
    Bytes own() const;
    /// Takes the other side's from the front of `bytes`, in any portions: how many of them belonged
    /// to it. PeerIdentity when they are wrong.
    Result<std::size_t> receive(ByteView bytes);
    /// The other side's were whole and right.
    bool done() const { return done_; }

private:
    std::size_t size() const;
    /// What a contact signs.
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
