// Measures the socket buffers and datagram sizes that a connection can have, to explain slow ones.
// Both functions block, and run outside of engines, on any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>

#include "net/udp_batch.h"

namespace thru {

/// The buffers granted if a socket requests `wanted` bytes in each direction; 0 if unknown.
SocketBuffers granted_buffers(int wanted);

/// The largest of `sizes`, in bytes of UDP payload, at which a STUN server receives an unfragmented
/// request. Returns 0 if no answer arrives within `patience`, or the address is not literal. There
/// are at most 16 sizes, each at least 24 and a multiple of four.
std::uint16_t largest_datagram(const std::string &address, std::uint16_t port,
                               std::span<const std::uint16_t> sizes,
                               std::chrono::milliseconds patience);

} // namespace thru
