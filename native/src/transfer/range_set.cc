#include "transfer/range_set.h"

#include <cassert>
#include <iterator>

namespace thru {

bool RangeSet::add(std::uint64_t begin, std::uint64_t end) {
    assert(begin < end);
    const auto after = ranges_.upper_bound(begin);
    if (after != ranges_.end() && after->first < end) {
        return false;
    }
    auto before = after == ranges_.begin() ? ranges_.end() : std::prev(after);
    if (before != ranges_.end() && before->second > begin) {
        return false;
    }
    if (before != ranges_.end() && before->second == begin) {
        before->second = end;
    } else {
        before = ranges_.emplace_hint(after, begin, end);
    }
    if (after != ranges_.end() && after->first == end) {
        before->second = after->second;
        ranges_.erase(after);
    }
    return true;
}

void RangeSet::remove(std::uint64_t begin, std::uint64_t end) {
    assert(begin < end);
    const auto after = ranges_.upper_bound(begin);
    assert(after != ranges_.begin());
    const auto around = std::prev(after);
    assert(around->first <= begin && end <= around->second);
    const std::uint64_t old_end = around->second;
    if (around->first == begin) {
        ranges_.erase(around);
    } else {
        around->second = begin;
    }
    if (end < old_end) {
        ranges_.emplace_hint(after, end, old_end);
    }
}

} // namespace thru
