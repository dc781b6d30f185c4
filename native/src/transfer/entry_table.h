// Small values for some entries of a manifest. Costs the size of a value for every entry; a map
// would cost ten times that for each value it holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace thru {

template <class Value> class EntryTable {
public:
    /// The value of an entry; empty when none was set.
    Value get(std::uint64_t index) const {
        return index < values_.size() ? Value(values_[index]) : Value{};
    }
    /// Allocates memory for all entries up to this one.
    void set(std::uint64_t index, const Value &value) {
        if (index >= values_.size()) {
            values_.resize(index + 1);
        }
        values_[index] = value;
    }
    /// Entries from this index on have no value.
    std::size_t end() const { return values_.size(); }

private:
    std::vector<Value> values_;
};

} // namespace thru
