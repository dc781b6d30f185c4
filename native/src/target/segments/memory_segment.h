// Keeps a received segment in memory.
#pragma once

#include "crypto/digest.h"
#include "target/segments/segment_sink.h"

namespace thru {

/// For an output that is written in order: nothing of a segment may go there before its hash was
/// right, nor before everything ahead of it. Takes memory only for bytes that came.
class MemorySegment final : public SegmentSink {
public:
    /// As SegmentWriter. With `dropped` no data is kept.
    MemorySegment(SegmentPlan plan, ByteView header, bool dropped);

    Result<> write(ByteView bytes) override;

private:
    bool dropped_;
    std::uint64_t data_left_;
    Blake3 stream_hasher_;
    Blake3 hasher_;
    Digest hash_{};
    std::size_t hash_bytes_ = 0;
};

} // namespace thru
