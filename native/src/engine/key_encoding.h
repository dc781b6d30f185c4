// Keys as text for JavaScript: 43 characters of base64url.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "crypto/secret_key.h"
#include "crypto/signature.h"

namespace thru {

std::string encode_key(const SecretKey &key);
std::string encode_key(const PublicKey &key);
/// nullopt unless `text` has the form that encode_key produces.
std::optional<SecretKey> secret_key_from(std::string_view text);
std::optional<PublicKey> public_key_from(std::string_view text);

} // namespace thru
