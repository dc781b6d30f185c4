// The checksum that distinguishes valid journal records from torn and stale bytes.
#pragma once

#include <cstdint>

#include "base/bytes.h"

namespace thru {

/// CRC-32C (RFC 9260, appendix A) of `bytes`, continued from `crc` of the bytes before.
std::uint32_t crc32c(ByteView bytes, std::uint32_t crc = 0);

} // namespace thru
