// What the engine answers without a session.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thru {

/// Libraries that are linked in, and their versions.
std::vector<std::pair<std::string, std::string>> library_versions();

/// A TLS 1.3 handshake in memory with this build's own OpenSSL; the protocol's name.
std::string check_tls();

/// Three words of the word list from the system's CSPRNG.
std::string new_words();

/// True for the normal form of a join code with words of the list.
bool is_join_code(std::string_view text);

/// A new long-term key: secret and public half, 43 characters of base64url each.
std::pair<std::string, std::string> new_contact_key();

/// The functions of native/index.d.ts, with keys as text; nullopt for an invalid key or a text that
/// is too long.
std::optional<std::string> contact_mailbox_text(std::string_view key, std::string_view public_key);
std::optional<std::string> sealed_invitation(std::string_view key, std::string_view recipient,
                                             std::string_view text);
/// nullopt also for what was not sealed with `key`.
std::optional<std::string> opened_invitation(std::string_view key, std::string_view recipient,
                                             std::string_view sealed);

/// Bytes in each direction, receiving first, that the system grants a socket that asks for
/// `wanted`; 0: unknown.
std::pair<std::uint64_t, std::uint64_t> socket_buffers(int wanted);

/// The largest of `sizes` that gets unsplit to a STUN server, 0 for none: blocks for up to 1.5 s.
std::uint16_t probe_path(const std::string &address, std::uint16_t port,
                         std::span<const std::uint16_t> sizes);

} // namespace thru
