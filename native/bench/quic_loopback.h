// One QUIC connection over loopback UDP, memory to memory, one thread for each end, no ICE and no
// disk. What changes here is the packet path alone.
#pragma once

#include <cstdint>

#include "quic/connection.h"

namespace thru {

struct LoopbackFigures {
    /// What was sent: whole segments.
    std::uint64_t bytes = 0;
    double seconds = 0;
    /// CPU seconds of each end.
    double sender_cpu = 0;
    double receiver_cpu = 0;
};

/// Sends about `bytes`, at least one segment; the handshake counts.
LoopbackFigures send_over_loopback(std::uint64_t bytes, CongestionControl congestion_control);

} // namespace thru
