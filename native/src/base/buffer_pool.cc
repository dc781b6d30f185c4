#include "base/buffer_pool.h"

namespace thru {

namespace {

/// Chunks kept for reuse, 32 MiB; memory beyond that returns to the system after a burst.
constexpr std::size_t kMaxFree = 128;

} // namespace

std::shared_ptr<BufferPool> BufferPool::create() {
    return std::shared_ptr<BufferPool>(new BufferPool());
}

Chunk BufferPool::take(std::size_t size) {
    if (size < kChunkBytes) {
        return Chunk{std::make_shared<Bytes>(size), 0};
    }
    std::unique_ptr<Bytes> bytes;
    {
        const std::lock_guard lock(mutex_);
        if (!free_.empty()) {
            bytes = std::move(free_.back());
            free_.pop_back();
        }
    }
    if (!bytes) {
        bytes = std::make_unique<Bytes>(kChunkBytes);
    }
    auto home = weak_from_this();
    return Chunk{std::shared_ptr<Bytes>(bytes.release(),
                                        [home](Bytes *raw) {
                                            std::unique_ptr<Bytes> owned(raw);
                                            if (auto pool = home.lock()) {
                                                pool->unclaim(std::move(owned));
                                            }
                                        }),
                 0};
}

void BufferPool::unclaim(std::unique_ptr<Bytes> bytes) {
    const std::lock_guard lock(mutex_);
    if (free_.size() < kMaxFree) {
        free_.push_back(std::move(bytes));
    }
}

} // namespace thru
