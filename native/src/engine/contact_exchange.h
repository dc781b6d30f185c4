// Two connected people become contacts: each side sends its long-term key, signed over this
// connection. Nothing is stored before both have done so. Normative text: docs/protocol.md#contacts
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

/// Time that a finished transfer's connection waits for both requests.
inline constexpr Timestamp kContactAnswerTimeout = 60 * kSecond;

struct NewContact {
    PublicKey public_key{};
    SecretKey shared;
};

class ContactExchange {
public:
    /// `exported`: the connection's exporter value for kContactLabel with the pairing's transcript.
    ContactExchange(LinkRole role, const SecretKey &exported) : role_(role), exported_(exported) {}

    /// Creates this side's contact request; nullopt after the first call.
    std::optional<ContactRequest> request(const SigningKey &own);
    /// Takes the other side's request. PeerProtocol for a second one or a key that isn't its own.
    Result<> receive(const ContactRequest &request);
    /// True once both sides have sent their requests.
    bool agreed() const { return own_ && peer_; }
    /// The new contact, once both sides have sent a request; returned once.
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
