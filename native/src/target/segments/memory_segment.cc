#include "target/segments/memory_segment.h"

#include <algorithm>
#include <utility>

namespace thru {

MemorySegment::MemorySegment(SegmentPlan plan, ByteView header, bool dropped)
    : SegmentSink(std::move(plan)), dropped_(dropped), data_left_(plan_bytes(plan_)) {
    stream_hasher_.update(header);
}

Result<> MemorySegment::write(ByteView bytes) {
    const auto data = bytes.first(std::min<std::uint64_t>(bytes.size(), data_left_));
    hasher_.update(data);
    data_left_ -= data.size();
    if (!dropped_ && !data.empty()) {
        data_.emplace_back(data.begin(), data.end());
    }
    const auto rest = bytes.subspan(data.size());
    if (rest.size() > hash_.size() - hash_bytes_) {
        return fail(ErrorCode::PeerProtocol, 0, "bytes after the end of a segment");
    }
    std::ranges::copy(rest, hash_.begin() + static_cast<std::ptrdiff_t>(hash_bytes_));
    hash_bytes_ += rest.size();
    if (hash_bytes_ < hash_.size() || outcome_ != SegmentOutcome::Unfinished) {
        return {};
    }
    stream_hasher_.update(hasher_.finish());
    const bool right = digests_equal(hash_, stream_hasher_.finish());
    outcome_ = right ? SegmentOutcome::Verified : SegmentOutcome::Damaged;
    if (!right) {
        data_.clear();
    }
    return {};
}

} // namespace thru
