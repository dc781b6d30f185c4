// What the engine answers without a session.
#pragma once

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

} // namespace thru
