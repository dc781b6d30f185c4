// Zstandard (RFC 8878) over single blocks, each independent of all others. Any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/bytes.h"
#include "base/error.h"

namespace thru {

/// Compresses `plain` at a fast level; nullopt unless that saves a tenth. Tries a sample first, so
/// incompressible data costs little.
std::optional<Bytes> compressed(ByteView plain);

/// Returns the `size` bytes that a block holds. Takes memory for these and about 100 kB, whatever
/// the block claims. PeerProtocol if it holds anything else.
Result<Bytes> decompressed(ByteView block, std::size_t size);

std::string zstd_library_version();

} // namespace thru
