#pragma once

#include "crypto/digest.h"
#include "target/segments/segment_sink.h"

namespace thru {

/// A segment for an output written in order: it may be written only once it is verified and
/// everything before it is written. Takes memory only for received bytes.
class MemorySegment final : public SegmentSink {
public:
    /// See SegmentWriter. `dropped`: keeps no data.
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
