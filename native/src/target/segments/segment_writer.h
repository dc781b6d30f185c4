#pragma once

#include <memory>
#include <vector>

#include "target/segments/segment_sink.h"

namespace thru {

/// Writes one segment's stream to part files as it arrives, then checks the hash.
class SegmentWriter final : public SegmentSink {
public:
    /// `header`: the stream's raw type byte and header, which the hash covers. Bytes of pieces that
    /// are `dropped`, by their place in the plan, are hashed but not written.
    SegmentWriter(std::shared_ptr<ReceiveFolder> folder, SegmentPlan plan, ByteView header,
                  std::vector<bool> dropped = {});
    /// Discards unverified data.
    ~SegmentWriter() override;

    Result<> write(ByteView bytes) override;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace thru
