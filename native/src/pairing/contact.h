// Keys, mailboxes and invitations of contacts: people who store each other's key, and reach each
// other without a code. Normative text: docs/protocol.md#contacts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "crypto/secret_key.h"
#include "crypto/signature.h"

namespace thru {

/// Maximum number of contacts of an installation.
inline constexpr std::size_t kMaxContacts = 1000;
/// Maximum length of an invitation's text in bytes.
inline constexpr std::size_t kMaxInvitationBytes = 1024;

struct Contact {
    /// Chosen by the caller.
    std::string id;
    PublicKey public_key{};
    /// Known only to the two contacts.
    SecretKey shared;
};

/// The contacts' shared secret, from a key that only their connection has (32 bytes of the TLS
/// exporter). It is HKDF-SHA-256(exported, "contact" || lesser public key || greater public key).
SecretKey contact_key(ByteView exported, const PublicKey &one, const PublicKey &other);

/// The address, 43 characters of base64url, at which the contacts that have `shared` reach `owner`:
/// HKDF-SHA-256(shared, "mailbox" || owner).
std::string contact_mailbox(const SecretKey &shared, const PublicKey &owner);

/// Returns base64url of a random nonce and an XChaCha20-Poly1305 box of `text`, which has at most
/// kMaxInvitationBytes. The key is HKDF-SHA-256(shared, "invitation" || recipient).
std::string seal_invitation(const SecretKey &shared, const PublicKey &recipient,
                            std::string_view text);
/// nullopt if malformed, too long, or not sealed with `shared` for `recipient`.
std::optional<std::string> open_invitation(const SecretKey &shared, const PublicKey &recipient,
                                           std::string_view sealed);

} // namespace thru
