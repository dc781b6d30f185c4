// The memory of a NameMap.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

namespace thru {

/// Grows without moving elements, so other threads can read existing ones meanwhile.
template <class T, std::size_t kMost> class Blocks {
public:
    T &operator[](std::size_t at) { return blocks_[at / kPerBlock][at % kPerBlock]; }
    const T &operator[](std::size_t at) const { return blocks_[at / kPerBlock][at % kPerBlock]; }
    /// Allocates elements up to `size`, at most kMost.
    void grow(std::size_t size) {
        for (; room_ < size; room_ += kPerBlock) {
            blocks_[room_ / kPerBlock] = std::make_unique<T[]>(kPerBlock);
        }
    }

private:
    static constexpr std::size_t kPerBlock = 4096;
    std::array<std::unique_ptr<T[]>, kMost / kPerBlock + 1> blocks_;
    std::size_t room_ = 0;
};

} // namespace thru
