// A segment on its way into a page: gathered in memory, and given out only if its hash is right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "crypto/digest.h"
#include "wire/segment.h"

namespace thru {

class WebSegment {
public:
    /// Takes bytes from the front of the stream up to the end of the header; returns their number.
    /// PeerProtocol if the header is malformed.
    Result<std::size_t> take_header(ByteView bytes) { return header_.feed(bytes); }
    /// True once the header is complete; only then may the functions below be called.
    bool has_header() const { return header_.done(); }
    /// Call this once, before the first `add`.
    void begin();
    const SegmentPlan &plan() const { return plan_; }

    /// Takes bytes after the header. PeerProtocol if there are more than the header announced.
    Result<> add(ByteView bytes);
    /// Data bytes in memory, or dropped after `add`.
    std::uint64_t held() const { return held_; }
    /// True once all data and the hash have arrived.
    bool whole() const { return hash_bytes_ == kSegmentHashBytes && data_left_ == 0; }
    /// Requires `whole`.
    bool is_right() const;
    /// Gives out the data of each piece in order, in runs. Requires `is_right`.
    void each_run(const std::function<void(const Piece &piece, std::uint64_t offset, ByteView run)>
                      &take) const;

private:
    SegmentHeaderDecoder header_;
    SegmentPlan plan_;
    std::uint64_t data_left_ = 0;
    std::uint64_t held_ = 0;
    Blake3 hasher_;
    /// Runs of data, and the filled bytes of the last one.
    std::vector<Bytes> data_;
    std::size_t filled_ = 0;
    Hash hash_{};
    std::size_t hash_bytes_ = 0;
};

} // namespace thru
