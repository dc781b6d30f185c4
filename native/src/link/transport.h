// Memory that connections may use for speed, if a person has set it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "net/udp_batch.h"
#include "quic/connection.h"

namespace thru {

/// Applies to new connections, in bytes; 0 selects the default.
struct Transport {
    /// Data that a receiver accepts before the disk has it.
    std::uint64_t connection_window = 0;
    /// Requested from the system for each socket and direction; it may grant less.
    std::uint64_t socket_buffers = 0;

    /// Partial segments alone could fill a smaller window.
    static constexpr std::uint64_t kMinChosenWindow = 16ULL << 20;
    static constexpr std::uint64_t kMaxChosenWindow = 1ULL << 30;
    static constexpr std::uint64_t kMinSocketBuffers = 256ULL << 10;
    static constexpr std::uint64_t kMaxSocketBuffers = 256ULL << 20;

    /// A receiver's initial window.
    std::uint64_t connection() const {
        return connection_window == 0
                   ? kConnectionWindow
                   : std::clamp(connection_window, kMinChosenWindow, kMaxChosenWindow);
    }
    /// A receiver's maximum window, for long fast paths; a size set by a person is fixed.
    std::uint64_t max_connection() const {
        return connection_window == 0 ? kMaxConnectionWindow : connection();
    }
    int sockets() const {
        return socket_buffers == 0 ? kSocketBufferBytes
                                   : static_cast<int>(std::clamp(socket_buffers, kMinSocketBuffers,
                                                                 kMaxSocketBuffers));
    }
};

} // namespace thru
