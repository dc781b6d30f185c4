// What a socket of this computer is given and what gets through from it, for people who ask why a
// connection is slow. Both block, and are used outside of engines, on any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>

#include "net/udp_batch.h"

namespace thru {

/// What the system grants a socket that asks for so many bytes in each direction; 0: unknown.
SocketBuffers granted_buffers(int wanted);

/// The largest of `sizes`, in bytes of UDP payload, at which a STUN server takes a request that
/// nobody on the way may split; 0 when none of them is answered within `patience`, or the address
/// is no literal one. Sizes are at least 24, multiples of four, and at most 16.
std::uint16_t largest_datagram(const std::string &address, std::uint16_t port,
                               std::span<const std::uint16_t> sizes,
                               std::chrono::milliseconds patience);

} // namespace thru
