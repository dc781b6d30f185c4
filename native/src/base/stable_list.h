// A list that grows without moving its elements.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <memory>
#include <utility>

namespace thru {

/// One thread adds elements. Others may use those that existed when they were handed work, so no
/// lock is needed. Memory is allocated block by block, up to `kCapacity` elements.
template <class T, std::size_t kCapacity> class StableList {
public:
    /// Only the adding thread may call this.
    std::size_t size() const { return size_; }

    /// The list must not be full.
    T &push_back(T element) {
        assert(size_ < kCapacity);
        auto &block = blocks_[size_ / kBlock];
        if (!block) {
            block = std::make_unique<T[]>(kBlock);
        }
        T &place = block[size_++ % kBlock];
        place = std::move(element);
        return place;
    }

    T &operator[](std::size_t index) { return blocks_[index / kBlock][index % kBlock]; }
    const T &operator[](std::size_t index) const { return blocks_[index / kBlock][index % kBlock]; }

private:
    static constexpr std::size_t kBlock = 1024;
    std::array<std::unique_ptr<T[]>, (kCapacity + kBlock - 1) / kBlock> blocks_;
    std::size_t size_ = 0;
};

} // namespace thru
