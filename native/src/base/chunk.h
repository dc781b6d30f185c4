// A piece of file data, shared by the threads that read, hash and send it.
#pragma once

#include <cstddef>
#include <memory>

#include "base/bytes.h"

namespace thru {

/// Size of every chunk in bytes: large enough that copying costs far more than passing one between
/// threads, small enough that the end of a stream wastes little.
inline constexpr std::size_t kChunkBytes = 256 * 1024;

/// A chunk and its used size; it returns to its pool, if it has one, with its last owner.
struct Chunk {
    std::shared_ptr<Bytes> bytes;
    std::size_t size = 0;

    ByteView view() const { return {bytes->data(), size}; }
};

} // namespace thru
