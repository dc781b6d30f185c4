// Where the bytes of a received segment go.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "target/receive_folder.h"
#include "target/shortage.h"
#include "wire/segment.h"

namespace thru {

/// How a segment ended.
enum class SegmentOutcome : std::uint8_t {
    /// More bytes are to come.
    Unfinished,
    /// All data is written and the hash was right.
    Verified,
    /// The hash was wrong; nothing of it counts.
    Damaged,
    /// The disk lost data while the segment was written, perhaps of it; nothing of it counts.
    Voided,
    /// No room on the disk; nothing of it counts.
    NoRoom,
};

/// Takes one segment's stream as it arrives, then checks the hash. Runs on the disk pool, one call
/// at a time.
class SegmentSink {
public:
    virtual ~SegmentSink() = default;

    /// The next bytes after the header, at least once, if only with none. PeerProtocol and
    /// TargetGone end the transfer; failures to write single entries are collected instead and the
    /// rest is still written. After Damaged, Voided or NoRoom bytes are ignored.
    virtual Result<> write(ByteView bytes) = 0;
    SegmentOutcome outcome() const { return outcome_; }
    /// CommitResult::failed_syncs when its first byte was written.
    std::uint64_t failed_syncs() const { return failed_syncs_; }

    const SegmentPlan &plan() const { return plan_; }
    const std::vector<WriteFailure> &failures() const { return failures_; }
    /// After NoRoom.
    const Shortage &shortage() const { return shortage_; }
    /// Texts of this segment, which are not written: index and bytes, after Verified.
    struct Text {
        std::uint64_t index = 0;
        std::string text;
    };
    std::vector<Text> take_texts() { return std::exchange(texts_, {}); }
    /// All data of a segment that is written nowhere, in order and in runs, after Verified.
    std::vector<Bytes> take_data() { return std::exchange(data_, {}); }

protected:
    explicit SegmentSink(SegmentPlan plan) : plan_(std::move(plan)) {}

    const SegmentPlan plan_;
    SegmentOutcome outcome_ = SegmentOutcome::Unfinished;
    std::uint64_t failed_syncs_ = 0;
    std::vector<WriteFailure> failures_;
    Shortage shortage_;
    std::vector<Text> texts_;
    std::vector<Bytes> data_;
};

} // namespace thru
