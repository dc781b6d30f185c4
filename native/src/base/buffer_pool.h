// Recycles chunks of file data. Thread-safe. It has no limit: its users bound their chunks.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "base/bytes.h"

namespace thru {

/// Size of every chunk in bytes: large enough that copying costs far more than passing one between
/// threads, small enough that the end of a stream wastes little.
inline constexpr std::size_t kChunkBytes = 256 * 1024;

/// A chunk and its used size; it returns to its pool with its last owner.
struct Chunk {
    std::shared_ptr<Bytes> bytes;
    std::size_t size = 0;

    ByteView view() const { return {bytes->data(), size}; }
};

class BufferPool : public std::enable_shared_from_this<BufferPool> {
public:
    static std::shared_ptr<BufferPool> create();

    /// Returns an empty chunk with room for `bytes`, at most kChunkBytes; its content is arbitrary.
    /// Only chunks of kChunkBytes are recycled; smaller ones take only the memory they need.
    Chunk take(std::size_t bytes = kChunkBytes);

private:
    BufferPool() = default;
    void unclaim(std::unique_ptr<Bytes> bytes);

    std::mutex mutex_;
    std::vector<std::unique_ptr<Bytes>> free_;
};

} // namespace thru
