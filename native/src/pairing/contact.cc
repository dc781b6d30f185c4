#include "pairing/contact.h"

#include <algorithm>

#include "base/byte_reader.h"
#include "crypto/aead.h"
#include "crypto/base64url.h"
#include "crypto/hkdf.h"

namespace thru {

namespace {

constexpr std::size_t kNonceBytes = std::tuple_size_v<BoxNonce>;
/// Base64url takes four characters for every three bytes, without padding.
constexpr std::size_t kMaxSealedChars =
    ((kNonceBytes + kMaxInvitationBytes + kBoxOverheadBytes) * 4 + 2) / 3;

SecretKey derive(ByteView secret, std::string_view label, std::initializer_list<ByteView> parts) {
    Bytes info;
    append_bytes(info, as_bytes(label));
    for (const auto part : parts) {
        append_bytes(info, part);
    }
    return hkdf_sha256(secret, {}, info);
}

/// Each direction has its own key, so a message can't be reflected to its author.
SecretKey invitation_key(const SecretKey &shared, const PublicKey &recipient) {
    return derive(shared.view(), "invitation", {recipient});
}

} // namespace

SecretKey contact_key(ByteView exported, const PublicKey &one, const PublicKey &other) {
    const auto &[lesser, greater] = std::minmax(one, other);
    return derive(exported, "contact", {lesser, greater});
}

std::string contact_mailbox(const SecretKey &shared, const PublicKey &owner) {
    return to_base64url(derive(shared.view(), "mailbox", {owner}).view());
}

std::string seal_invitation(const SecretKey &shared, const PublicKey &recipient,
                            std::string_view text) {
    const auto nonce = random_box_nonce();
    Bytes sealed{nonce.begin(), nonce.end()};
    append_bytes(sealed, seal_box(invitation_key(shared, recipient), nonce, {}, as_bytes(text)));
    return to_base64url(sealed);
}

std::optional<std::string> open_invitation(const SecretKey &shared, const PublicKey &recipient,
                                           std::string_view sealed) {
    if (sealed.size() > kMaxSealedChars) {
        return std::nullopt;
    }
    const auto bytes = from_base64url(sealed);
    if (!bytes || bytes->size() < kNonceBytes) {
        return std::nullopt;
    }
    BoxNonce nonce;
    std::ranges::copy_n(bytes->begin(), std::ssize(nonce), nonce.begin());
    const auto text = open_box(invitation_key(shared, recipient), nonce, {},
                               ByteView{*bytes}.subspan(kNonceBytes));
    return text ? std::optional<std::string>{as_text(*text)} : std::nullopt;
}

} // namespace thru
