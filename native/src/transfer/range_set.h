// Which bytes of a file are spoken for: half-open ranges that never overlap, neighbours merged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace thru {

class RangeSet {
public:
    /// Adds [begin, end), which is not empty. False, and nothing changed, when a byte of it is in
    /// the set already.
    bool add(std::uint64_t begin, std::uint64_t end);
    /// Takes out [begin, end), all of which is in the set.
    void remove(std::uint64_t begin, std::uint64_t end);

    bool empty() const { return ranges_.empty(); }
    /// Separate runs of bytes: what it costs in memory.
    std::size_t count() const { return ranges_.size(); }

private:
    /// From each range's begin to its end.
    std::map<std::uint64_t, std::uint64_t> ranges_;
};

} // namespace thru
