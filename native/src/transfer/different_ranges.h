// The ranges of a claimed file that differ, as one Confirm can hold them or in parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "wire/control.h"

namespace thru {

class DifferentRanges {
public:
    /// Counts the runs of a message: they limit the parts.
    void take(const Extents &extents);
    /// Adds bytes that lie behind all others. Joins the nearest ranges if they are too many.
    void add(std::uint64_t offset, std::uint64_t length);
    /// Ranges for Sender::confirm_part, which is due before the next `add`; nullopt if the receiver
    /// takes no part now.
    std::optional<std::vector<ByteRange>> take_part();
    /// The ranges that follow all parts.
    std::vector<ByteRange> take_rest() { return std::exchange(ranges_, {}); }

private:
    void join_nearest();

    std::vector<ByteRange> ranges_;
    bool takes_parts_ = false;
    std::size_t taken_runs_ = 0;
    std::size_t parts_ = 0;
};

} // namespace thru
