// Two connected people who become contacts: each shows its long-term key, signed over this
// connection; nothing is stored before both did. Normative text: docs/protocol.md#contacts
#pragma once

#include <optional>

#include "base/clock.h"
#include "base/error.h"
#include "crypto/signature.h"
#include "link/link_binding.h"
#include "wire/control.h"

namespace thru {

/// TLS exporter label of `exported`.
inline constexpr std::string_view kContactLabel = "EXPORTER-thru1-contact";

/// How long a finished transfer's connection waits for the answer.
inline constexpr Timestamp kContactAnswerTimeout = 60 * kSecond;

/// What both sides remember.
struct NewContact {
    PublicKey public_key{};
    SecretKey shared;
};

class ContactExchange {
public:
    /// `exported`: the connection's exporter value for kContactLabel with the pairing's transcript.
    ContactExchange(LinkRole role, const SecretKey &exported) : role_(role), exported_(exported) {}

    /// Makes this side's contact request; nullopt when it was made before.
    std::optional<ContactRequest> request(const SigningKey &own);
    /// Takes the other side's contact request. PeerProtocol for a second one, or a key that is not
    /// its own.
    Result<> receive(const ContactRequest &request);
    /// One side has asked, and the other has not answered yet.
    bool undecided() const { return own_.has_value() != peer_.has_value(); }
    /// The new contact, once both sides asked; returned once.
    std::optional<NewContact> take_contact();

private:
    Bytes statement(LinkRole role, const PublicKey &key) const;

    LinkRole role_;
    SecretKey exported_;
    std::optional<PublicKey> own_;
    std::optional<PublicKey> peer_;
    bool taken_ = false;
};

} // namespace thru
