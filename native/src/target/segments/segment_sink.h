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

enum class SegmentOutcome : std::uint8_t {
    /// More bytes will follow.
    Unfinished,
    /// All data is written and the hash was right.
    Verified,
    /// The hash was wrong; nothing of it counts.
    Damaged,
    /// The disk lost data during writing, possibly this segment's; nothing of it counts.
    Voided,
    /// The disk is full; nothing of it counts.
    NoRoom,
};

/// Takes a segment's stream as it arrives and checks the hash. Disk pool, one call at a time.
class SegmentSink {
public:
    virtual ~SegmentSink() = default;

    /// Takes the next bytes after the header; called at least once, possibly without bytes.
    /// PeerProtocol and TargetGone end the transfer. Failures of single entries are collected while
    /// the rest is still written. Ignores bytes after Damaged, Voided or NoRoom.
    virtual Result<> write(ByteView bytes) = 0;
    SegmentOutcome outcome() const { return outcome_; }
    /// CommitResult::failed_syncs at its first byte.
    std::uint64_t failed_syncs() const { return failed_syncs_; }

    const SegmentPlan &plan() const { return plan_; }
    const std::vector<WriteFailure> &failures() const { return failures_; }
    /// The missing resource. Requires NoRoom.
    const Shortage &shortage() const { return shortage_; }
    /// A text of this segment, which is not written. Requires Verified.
    struct Text {
        std::uint64_t index = 0;
        std::string text;
    };
    std::vector<Text> take_texts() { return std::exchange(texts_, {}); }
    /// All data of an unwritten segment, in order and in runs. Requires Verified.
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
