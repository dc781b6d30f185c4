// Recycled chunks of file data. Thread-safe. A pool sets no limit: whoever takes chunks bounds how
// many it holds.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "base/bytes.h"

namespace thru {

/// Size of every chunk in bytes: large enough that a hop between threads costs nothing beside the
/// copy, small enough that a stream's tail wastes little.
inline constexpr std::size_t kChunkBytes = 256 * 1024;

/// A chunk and how much of it is used; goes back to its pool with its last owner.
struct Chunk {
    std::shared_ptr<Bytes> bytes;
    std::size_t size = 0;

    ByteView view() const { return {bytes->data(), size}; }
};

class BufferPool : public std::enable_shared_from_this<BufferPool> {
public:
    static std::shared_ptr<BufferPool> create();

    /// An empty chunk with room for `bytes`, at most kChunkBytes; its content is whatever was in it
    /// before. Only those of kChunkBytes are recycled: one of a few bytes takes no more than these.
    Chunk take(std::size_t bytes = kChunkBytes);

private:
    BufferPool() = default;
    void unclaim(std::unique_ptr<Bytes> bytes);

    std::mutex mutex_;
    std::vector<std::unique_ptr<Bytes>> free_;
};

} // namespace thru
