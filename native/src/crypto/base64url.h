// Base64 for URLs and JSON (RFC 4648, section 5), without padding.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace thru {

std::string to_base64url(ByteView bytes);

/// Returns nullopt for anything except the exact output of to_base64url: no padding, no stray bits.
std::optional<Bytes> from_base64url(std::string_view text);

} // namespace thru
