#include "engine/library.h"

#include <chrono>

#include "compression/zstd.h"
#include "crypto/versions.h"
#include "engine/key_encoding.h"
#include "net/path_probe.h"
#include "pairing/contact.h"
#include "pairing/join_code.h"
#include "path/versions.h"
#include "quic/versions.h"

namespace thru {

std::vector<std::pair<std::string, std::string>> library_versions() {
    const auto crypto = crypto_versions();
    return {{"ngtcp2", ngtcp2_library_version()},
            {"nice", nice_version()},
            {"openssl", crypto.openssl},
            {"sodium", crypto.sodium},
            {"blake3", crypto.blake3},
            {"zstd", zstd_library_version()}};
}

std::string new_words() { return random_words(); }

bool is_join_code(std::string_view text) { return parse_join_code(text).has_value(); }

std::pair<std::string, std::string> new_contact_key() {
    const auto key = SigningKey::create();
    return {encode_key(key.seed()), encode_key(key.public_key())};
}

std::optional<std::string> contact_mailbox_text(std::string_view key, std::string_view public_key) {
    const auto shared = secret_key_from(key);
    const auto owner = public_key_from(public_key);
    return shared && owner ? std::optional(contact_mailbox(*shared, *owner)) : std::nullopt;
}

std::optional<std::string> sealed_invitation(std::string_view key, std::string_view recipient,
                                             std::string_view text) {
    const auto shared = secret_key_from(key);
    const auto to = public_key_from(recipient);
    return shared && to && text.size() <= kMaxInvitationBytes
               ? std::optional(seal_invitation(*shared, *to, text))
               : std::nullopt;
}

std::optional<std::string> opened_invitation(std::string_view key, std::string_view recipient,
                                             std::string_view sealed) {
    const auto shared = secret_key_from(key);
    const auto to = public_key_from(recipient);
    return shared && to ? open_invitation(*shared, *to, sealed) : std::nullopt;
}

std::pair<std::uint64_t, std::uint64_t> socket_buffers(int wanted) {
    const auto granted = granted_buffers(wanted);
    return {granted.receive, granted.send};
}

std::uint16_t probe_path(const std::string &address, std::uint16_t port,
                         std::span<const std::uint16_t> sizes) {
    constexpr std::chrono::milliseconds kPatience{1500};
    return largest_datagram(address, port, sizes, kPatience);
}

} // namespace thru
