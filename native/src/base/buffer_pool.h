// Recycles chunks of file data. Thread-safe. It has no limit: its users bound their chunks.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "base/bytes.h"
#include "base/chunk.h"

namespace thru {

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
