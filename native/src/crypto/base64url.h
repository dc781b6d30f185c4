// Base64 for URLs and JSON (RFC 4648, section 5), without padding.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace thru {

std::string to_base64url(ByteView bytes);

/// nullopt for anything but the one text that to_base64url makes: no padding, no white space, no
/// stray bits at the end.
std::optional<Bytes> from_base64url(std::string_view text);

} // namespace thru
