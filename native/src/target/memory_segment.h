// Keeps a received segment in memory.
#pragma once

#include "crypto/digest.h"
#include "target/segment_sink.h"

namespace thru {

/// For an output that is written in order: nothing of a segment may go there before its hash was
/// right, nor before everything ahead of it. Takes memory only for bytes that came.
class MemorySegment final : public SegmentSink {
public:
    /// As SegmentWriter. With `dropped` no data is kept.
    MemorySegment(SegmentPlan plan, ByteView header, bool dropped);

    Result<> write(ByteView bytes) override;
    SegmentOutcome outcome() const override { return outcome_; }
    std::uint64_t failed_syncs() const override { return 0; }
    const SegmentPlan &plan() const override { return plan_; }
    const std::vector<WriteFailure> &failures() const override { return failures_; }
    Shortage shortage() const override { return {}; }
    std::vector<Text> take_texts() override { return {}; }
    std::vector<Bytes> take_data() override { return std::exchange(data_, {}); }

private:
    SegmentPlan plan_;
    bool dropped_;
    std::uint64_t data_left_;
    Blake3 stream_hasher_;
    Blake3 hasher_;
    std::vector<Bytes> data_;
    Digest hash_{};
    std::size_t hash_bytes_ = 0;
    std::vector<WriteFailure> failures_;
    SegmentOutcome outcome_ = SegmentOutcome::Unfinished;
};

} // namespace thru
