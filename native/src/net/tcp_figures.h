// Figures of a TCP connection, as the system measured them.
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.h"

namespace thru {

struct TcpFigures {
    /// Sent segments with data since the connection began, including repeated ones.
    std::uint64_t sent = 0;
    std::uint64_t repeated = 0;
    /// The least round trip, which a busy program does not prolong.
    Timestamp round_trip = kNever;
};

/// nullopt if the system doesn't report them.
std::optional<TcpFigures> tcp_figures(int descriptor);

} // namespace thru
