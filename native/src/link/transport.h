// How much memory connections may use for speed, where a person has said so.
#pragma once

#include <algorithm>
#include <cstdint>

#include "net/udp_batch.h"
#include "quic/connection.h"

namespace thru {

/// Each as for connections that begin from now on, in bytes; 0: what this program chooses.
struct Transport {
    /// Data that a receiver takes on before the disk has it.
    std::uint64_t connection_window = 0;
    /// Asked of the system for each socket and direction; it may grant less.
    std::uint64_t socket_buffers = 0;

    /// Less than this much could wait for the disk in parts of segments alone.
    static constexpr std::uint64_t kMinChosenWindow = 16ULL << 20;
    static constexpr std::uint64_t kMaxChosenWindow = 1ULL << 30;
    static constexpr std::uint64_t kMinSocketBuffers = 256ULL << 10;
    static constexpr std::uint64_t kMaxSocketBuffers = 256ULL << 20;

    /// What a receiver takes on at first.
    std::uint64_t connection() const {
        return connection_window == 0
                   ? kConnectionWindow
                   : std::clamp(connection_window, kMinChosenWindow, kMaxChosenWindow);
    }
    /// And at most, where a long fast path needs more; a size that a person set is fixed.
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
