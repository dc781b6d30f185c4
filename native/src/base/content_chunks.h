// Chunks whose boundaries depend on their content, so that they move with it (FastCDC, 2020).
// Normative text: docs/protocol.md#chunks
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/bytes.h"

namespace thru {

/// The lengths of a file's chunks, the same at both sides.
struct ChunkLengths {
    /// nullopt for files that are too small or too large to be chunked.
    static std::optional<ChunkLengths> of(std::uint64_t size);

    std::uint64_t average = 0;
    /// Only the last chunk may be shorter.
    std::uint64_t min() const { return average / 4; }
    std::uint64_t max() const { return average * 8; }
};

/// Length of the chunk at the beginning of `data`, which has lengths.max() bytes or ends the file.
/// Its own length if it has no more than lengths.min().
std::size_t chunk_length(ByteView data, const ChunkLengths &lengths);

} // namespace thru
