// People who keep each other's key: how one proves to be it, and how they find each other without a
// code. Normative text: docs/protocol.md#contacts.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "crypto/secret_key.h"
#include "crypto/signature.h"

namespace thru {

/// The most that an installation keeps.
inline constexpr std::size_t kMaxContacts = 1000;
/// Longest text of an invitation, in bytes.
inline constexpr std::size_t kMaxInvitationBytes = 1024;

struct Contact {
    /// Chosen by the caller.
    std::string id;
    PublicKey public_key{};
    /// Known to the two only.
    SecretKey shared;
};

/// What the two agree on, from a key that only their connection has (32 bytes of the TLS exporter):
/// HKDF-SHA-256(exported, "contact" || lesser public key || greater public key), the same for both.
SecretKey contact_key(ByteView exported, const PublicKey &one, const PublicKey &other);

/// 43 characters of base64url by which the owner of `owner` is found, by those who share `shared`
/// with it: HKDF-SHA-256(shared, "mailbox" || owner).
std::string contact_mailbox(const SecretKey &shared, const PublicKey &owner);

/// base64url of a random nonce and an XChaCha20-Poly1305 box of `text`, which has at most
/// kMaxInvitationBytes; its key is HKDF-SHA-256(shared, "invitation").
std::string seal_invitation(const SecretKey &shared, const PublicKey &recipient,
                            std::string_view text);
/// nullopt when it was not made with `shared` for `recipient`, or is malformed or too long.
std::optional<std::string> open_invitation(const SecretKey &shared, const PublicKey &recipient,
                                           std::string_view sealed);

} // namespace thru
