// One QUIC connection over loopback UDP, memory to memory, one thread per end, no ICE and no disk:
// measures the packet path alone.
#pragma once

#include <cstdint>

#include "quic/connection.h"

namespace thru {

struct LoopbackFigures {
    /// Bytes sent, in whole segments.
    std::uint64_t bytes = 0;
    double seconds = 0;
    /// CPU seconds of each end.
    double sender_cpu = 0;
    double receiver_cpu = 0;
};

/// Sends about `bytes`, at least one segment. The handshake is included.
LoopbackFigures send_over_loopback(std::uint64_t bytes, CongestionControl congestion_control);

} // namespace thru
