// A set of manifest indexes that finds its smallest member in constant time.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "wire/manifest.h"

namespace thru {

/// One bit per index and per word of the level below: at most 270 KiB.
class IndexSet {
public:
    void insert(std::uint64_t index) {
        for (auto &level : levels_) {
            const auto word = index / 64;
            if (word >= level.size()) {
                level.resize(word + 1);
            }
            level[word] |= std::uint64_t{1} << index % 64;
            index = word;
        }
    }
    /// `index` must be in the set.
    void erase(std::uint64_t index) {
        for (auto &level : levels_) {
            auto &word = level[index / 64];
            word &= ~(std::uint64_t{1} << index % 64);
            if (word != 0) {
                return;
            }
            index /= 64;
        }
    }
    bool empty() const { return levels_.back().empty() || levels_.back().front() == 0; }
    /// The smallest index; the set must not be empty.
    std::uint64_t first() const {
        std::uint64_t index = 0;
        for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
            index = index * 64 + static_cast<std::uint64_t>(std::countr_zero((*level)[index]));
        }
        return index;
    }

private:
    static constexpr std::size_t kLevels = 4;
    static_assert(kMaxManifestEntries <= std::uint64_t{1} << 6 * kLevels, "the top is one word");

    std::array<std::vector<std::uint64_t>, kLevels> levels_;
};

} // namespace thru
