// One receiver's segment as it travels: as it is read, or compressed. Network thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "base/lifetime.h"
#include "engine/segment_cache.h"
#include "engine/share/compression_choice.h"
#include "fs/disk_pool.h"
#include "quic/connection.h"

namespace thru {

/// The disk of a plan's files; a number of its own if there are several, so that jobs of a single
/// disk don't wait if another one hangs.
std::uint64_t disk_of(const SourceFiles &files, const SegmentPlan &plan);

/// True if `choice` wants the segment compressed on the path of `connection`.
bool compresses(CompressionChoice &choice, const Connection &connection, const SegmentPlan &plan);

/// A SegmentCache::Reader whose chunks may be compressed on the disk pool.
class OutgoingSegment {
public:
    /// With `choice`, the segment is compressed, and its stream begins with CompressedSegment.
    OutgoingSegment(SegmentCache::Reader reader, DiskPool &disk,
                    std::shared_ptr<CompressionChoice> choice);

    const SegmentPlan &plan() const { return state_->reader.plan(); }
    /// Uncompressed size of the next chunk in bytes; 0 at the end.
    std::size_t next_bytes() const;
    /// Uncompressed size of the last chunk taken.
    std::size_t taken_bytes() const { return state_->taken; }

    // See SegmentCache::Reader.

    /// The chunk follows `before` in the stream, if that is not empty.
    std::optional<SegmentCache::Outcome> take();
    void fetch(const Lifetime &owner, std::function<void()> ready);
    /// The length that precedes the last chunk taken, if that is an uncompressed block.
    ByteView before() const { return state_->before; }

private:
    struct State {
        SegmentCache::Reader reader;
        DiskPool &disk;
        /// Null if the segment is not compressed.
        std::shared_ptr<CompressionChoice> choice;
        std::shared_ptr<DiskPool::Strand> strand;
        /// Bytes of type byte and header that the next chunk begins with.
        std::size_t header = 0;
        /// A chunk that was read and becomes a block on the disk pool.
        std::optional<Chunk> read;
        /// Compressing it is tried.
        bool tries = false;
        std::optional<SegmentCache::Outcome> ready;
        Bytes before;
        std::size_t taken = 0;
    };
    static std::optional<SegmentCache::Outcome> begin(State &state,
                                                      std::optional<SegmentCache::Outcome> next);
    static void compress(const std::shared_ptr<State> &state, const Lifetime &owner,
                         std::function<void()> ready);

    /// Jobs may outlive a segment that the receiver doesn't use.
    std::shared_ptr<State> state_;
};

} // namespace thru
