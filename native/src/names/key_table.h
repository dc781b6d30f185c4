// A hash table of bare 64-bit keys: a million take about 12 MB, without overhead per key.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace thru {

/// Open addressing with linear probing. A key's upper half determines its position, so it must be
/// as good as random even if an attacker chooses the content (KeyedHash). The lower half may carry
/// any data. No key is 0. Not thread-safe.
class KeyTable {
public:
    /// The first key with this upper half for which `is_wanted(key)` holds, or 0.
    template <class IsWanted> std::uint64_t find(std::uint32_t upper, IsWanted is_wanted) const {
        if (slots_.empty()) {
            return 0;
        }
        std::size_t at = home(upper, slots_.size());
        for (; slots_[at] != 0; at = after(at)) {
            if (slots_[at] >> 32 == upper && is_wanted(slots_[at])) {
                return slots_[at];
            }
        }
        return 0;
    }

    bool contains(std::uint64_t key) const {
        return find(upper_of(key), [key](std::uint64_t other) { return other == key; }) != 0;
    }

    void insert(std::uint64_t key) {
        if ((used_ + 1) * 4 > slots_.size() * 3) {
            grow();
        }
        place(slots_, key);
        ++used_;
    }

    /// Does nothing if the key is missing.
    void erase(std::uint64_t key) {
        if (!contains(key)) {
            return;
        }
        std::size_t gap = home(upper_of(key), slots_.size());
        while (slots_[gap] != key) {
            gap = after(gap);
        }
        // Move up the keys before the next gap, unless that would put one before its home.
        for (std::size_t at = after(gap); slots_[at] != 0; at = after(at)) {
            const std::size_t wanted = home(upper_of(slots_[at]), slots_.size());
            if (distance(wanted, at) >= distance(gap, at)) {
                slots_[gap] = slots_[at];
                gap = at;
            }
        }
        slots_[gap] = 0;
        --used_;
    }

private:
    using Slots = std::vector<std::uint64_t>;

    static std::uint32_t upper_of(std::uint64_t key) {
        return static_cast<std::uint32_t>(key >> 32);
    }
    static std::size_t home(std::uint32_t upper, std::size_t slots) {
        return static_cast<std::size_t>(std::uint64_t{upper} * slots >> 32);
    }
    static void place(Slots &slots, std::uint64_t key) {
        std::size_t at = home(upper_of(key), slots.size());
        while (slots[at] != 0) {
            at = at + 1 == slots.size() ? 0 : at + 1;
        }
        slots[at] = key;
    }
    std::size_t after(std::size_t at) const { return at + 1 == slots_.size() ? 0 : at + 1; }
    std::size_t distance(std::size_t from, std::size_t to) const {
        return to >= from ? to - from : to + slots_.size() - from;
    }
    void grow() {
        constexpr std::size_t kFewest = 64;
        Slots larger(std::max(kFewest, slots_.size() + slots_.size() / 2));
        for (const std::uint64_t key : slots_) {
            if (key != 0) {
                place(larger, key);
            }
        }
        slots_.swap(larger);
    }

    Slots slots_;
    std::size_t used_ = 0;
};

} // namespace thru
