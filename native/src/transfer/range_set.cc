#include "transfer/range_set.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <limits>

namespace thru {

std::uint64_t RangeSet::add(std::uint64_t begin, std::uint64_t end) {
    assert(begin < end);
    const std::uint64_t before = bytes_;
    auto next = ranges_.upper_bound(begin);
    if (next != ranges_.begin() && std::prev(next)->second >= begin) {
        --next;
        begin = next->first;
    }
    while (next != ranges_.end() && next->first <= end) {
        end = std::max(end, next->second);
        bytes_ -= next->second - next->first;
        next = ranges_.erase(next);
    }
    ranges_.emplace_hint(next, begin, end);
    bytes_ += end - begin;
    return bytes_ - before;
}

std::uint64_t RangeSet::remove(std::uint64_t begin, std::uint64_t end) {
    assert(begin < end);
    const std::uint64_t before = bytes_;
    auto next = ranges_.lower_bound(begin);
    if (next != ranges_.begin() && std::prev(next)->second > begin) {
        --next;
    }
    while (next != ranges_.end() && next->first < end) {
        const auto [first, last] = *next;
        next = ranges_.erase(next);
        bytes_ -= std::min(last, end) - std::max(first, begin);
        if (first < begin) {
            ranges_.emplace_hint(next, first, begin);
        }
        if (end < last) {
            ranges_.emplace_hint(next, end, last);
        }
    }
    return before - bytes_;
}

IndexRanges RangeSet::indexes() const {
    return indexes(0, std::numeric_limits<std::uint64_t>::max());
}

IndexRanges RangeSet::indexes(std::uint64_t begin, std::uint64_t end) const {
    IndexRanges found;
    auto next = ranges_.upper_bound(begin);
    if (next != ranges_.begin() && std::prev(next)->second > begin) {
        --next;
    }
    for (; next != ranges_.end() && next->first < end; ++next) {
        const auto first = std::max(next->first, begin);
        found.push_back({.first = first, .count = std::min(next->second, end) - first});
    }
    return found;
}

bool RangeSet::overlaps(std::uint64_t begin, std::uint64_t end) const {
    const auto next = ranges_.lower_bound(end);
    return next != ranges_.begin() && std::prev(next)->second > begin;
}

} // namespace thru
