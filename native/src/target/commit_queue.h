// What one commit leaves to the next.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "wire/index_ranges.h"

namespace thru {

/// For the folder's strand.
class CommitQueue {
public:
    /// A complete file, to be published.
    void add(std::uint64_t index) { complete_.push_back(index); }
    std::vector<std::uint64_t> take() { return std::exchange(complete_, {}); }
    std::size_t size() const { return complete_.size(); }
    /// A complete file that waits for its name must not get it when it is wanted again, half
    /// received.
    void remove(const IndexRanges &ranges) {
        std::erase_if(complete_, [&](std::uint64_t index) {
            return !part_of(ranges, index, index + 1).empty();
        });
    }

    /// The disk lost data in a commit.
    void add_failed() { ++failed_; }
    /// Commits in which it did.
    unsigned failed() const { return failed_; }

private:
    std::vector<std::uint64_t> complete_;
    unsigned failed_ = 0;
};

} // namespace thru
