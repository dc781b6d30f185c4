#include "transfer/different_ranges.h"

namespace thru {

void DifferentRanges::take(const Extents &extents) {
    takes_parts_ = extents.takes_parts;
    taken_runs_ += extents.runs.size();
}

void DifferentRanges::add(std::uint64_t offset, std::uint64_t length) {
    const bool adjoins =
        !ranges_.empty() && ranges_.back().offset + ranges_.back().length == offset;
    if (adjoins) {
        ranges_.back().length += length;
    } else {
        ranges_.push_back({.offset = offset, .length = length});
    }
    if (ranges_.size() > kMaxDifferent) {
        join_nearest();
    }
}

/// A run of zeros may hold many ranges, but the parts are limited by the runs.
std::optional<std::vector<ByteRange>> DifferentRanges::take_part() {
    if (!takes_parts_ || ranges_.size() < kMaxDifferent || parts_ >= taken_runs_ / kMaxDifferent) {
        return std::nullopt;
    }
    ++parts_;
    return std::exchange(ranges_, {});
}

/// Joins the two ranges with the fewest bytes between them: a Confirm can't hold one more.
void DifferentRanges::join_nearest() {
    const auto bytes_before = [this](std::size_t at) {
        const ByteRange &before = ranges_[at - 1];
        return ranges_[at].offset - (before.offset + before.length);
    };
    std::size_t nearest = 1;
    for (std::size_t at = 2; at < ranges_.size(); ++at) {
        nearest = bytes_before(at) < bytes_before(nearest) ? at : nearest;
    }
    const ByteRange joined = ranges_[nearest];
    ByteRange &before = ranges_[nearest - 1];
    before.length = joined.offset + joined.length - before.offset;
    ranges_.erase(ranges_.begin() + static_cast<std::ptrdiff_t>(nearest));
}

} // namespace thru
