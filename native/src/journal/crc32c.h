// The checksum of journal records: tells torn and stale bytes from those that were written last.
#pragma once

#include <cstdint>

#include "base/bytes.h"

namespace thru {

/// CRC-32C (RFC 9260, appendix A) of `bytes`, continued from `crc`, the checksum of what precedes
/// them.
std::uint32_t crc32c(ByteView bytes, std::uint32_t crc = 0);

} // namespace thru
