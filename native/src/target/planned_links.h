// Entries that will become further names of files of this receive.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "wire/hard_link.h"

namespace thru {

/// Folder's strand only.
class PlannedLinks {
public:
    /// Each `first` is published by this receive. `links` rise.
    void begin(std::vector<HardLink> links) {
        waiting_.resize(links.empty() ? 0 : links.back().index + std::size_t{1});
        for (const HardLink &link : links) {
            waiting_[link.index] = true;
        }
        by_first_ = std::move(links);
        std::ranges::stable_sort(by_first_, {}, &HardLink::first);
    }

    bool has_names(std::uint64_t first) const {
        return std::ranges::binary_search(by_first_, first, {}, &HardLink::first);
    }
    bool waits(std::uint64_t index) const { return index < waiting_.size() && waiting_[index]; }
    /// Returns waits(), and ends that.
    bool take(std::uint64_t index) {
        const bool waited = waits(index);
        if (waited) {
            waiting_[index] = false;
        }
        return waited;
    }
    /// Takes the entries that wait for `first`; they rise.
    std::vector<std::uint64_t> take_names_of(std::uint64_t first) {
        std::vector<std::uint64_t> names;
        for (const HardLink &link :
             std::ranges::equal_range(by_first_, first, {}, &HardLink::first)) {
            if (take(link.index)) {
                names.push_back(link.index);
            }
        }
        return names;
    }

private:
    std::vector<HardLink> by_first_;
    std::vector<bool> waiting_;
};

} // namespace thru
