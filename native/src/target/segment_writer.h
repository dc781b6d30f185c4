// Writes received segments to part files.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
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

/// Writes one segment's stream as it arrives: data to part files, then checks the hash. Runs on the
/// disk pool, one call at a time.
class SegmentWriter {
public:
    /// `header` is the stream's raw type byte and header, which the hash covers. Bytes of pieces
    /// that are `dropped`, by their place in the plan, are read and nothing else; the rest is
    /// written.
    SegmentWriter(std::shared_ptr<ReceiveFolder> folder, SegmentPlan plan, ByteView header,
                  std::vector<bool> dropped = {});
    /// Discards what is not verified.
    ~SegmentWriter();

    /// The next bytes after the header, at least once, if only with none. PeerProtocol and
    /// TargetGone end the transfer; failures to write single entries are collected instead and the
    /// rest is still written. After Damaged, Voided or NoRoom bytes are ignored.
    Result<> write(ByteView bytes);
    SegmentOutcome outcome() const;
    /// CommitResult::failed_syncs when its first byte was written.
    std::uint64_t failed_syncs() const;

    const SegmentPlan &plan() const;
    const std::vector<WriteFailure> &failures() const;
    /// After NoRoom.
    Shortage shortage() const;
    /// Texts of this segment, which are not written: index and bytes, after Verified.
    struct Text {
        std::uint64_t index = 0;
        std::string text;
    };
    std::vector<Text> take_texts();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace thru
