// Functions of the engine that need no session.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thru {

std::vector<std::pair<std::string, std::string>> library_versions();

/// Three words of the word list, drawn with the system's CSPRNG.
std::string new_words();

/// True for a normalized join code with words of the list.
bool is_join_code(std::string_view text);

/// A new long-term key: secret and public half, 43 characters of base64url each.
std::pair<std::string, std::string> new_contact_key();

/// Functions of native/index.d.ts with keys as text; nullopt for an invalid key or overlong text.
std::optional<std::string> contact_mailbox_text(std::string_view key, std::string_view public_key);
std::optional<std::string> sealed_invitation(std::string_view key, std::string_view recipient,
                                             std::string_view text);
/// Also nullopt if `sealed` was not sealed with `key`.
std::optional<std::string> opened_invitation(std::string_view key, std::string_view recipient,
                                             std::string_view sealed);

/// Receive and send buffer, in bytes, that the system grants a socket for `wanted`; 0: unknown.
std::pair<std::uint64_t, std::uint64_t> socket_buffers(int wanted);

/// The largest of `sizes` that reaches a STUN server unfragmented, or 0. Blocks up to 1.5 s.
std::uint16_t probe_path(const std::string &address, std::uint16_t port,
                         std::span<const std::uint16_t> sizes);

} // namespace thru
