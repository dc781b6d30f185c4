#include "engine/library.h"

#include "crypto/self_test.h"
#include "crypto/versions.h"
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
            {"blake3", crypto.blake3}};
}

std::string check_tls() { return tls_self_test(); }

std::string new_words() { return random_words(); }

bool is_join_code(std::string_view text) { return parse_join_code(text).has_value(); }

} // namespace thru
