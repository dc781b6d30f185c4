// What a datagram is, by its first byte (RFC 9443): STUN, ChannelData of TURN and QUIC share a
// socket.
#pragma once

#include "base/bytes.h"

namespace thru {

/// STUN ends where QUIC's first byte begins: everything between is nobody's of ours.
inline constexpr std::uint8_t kFirstQuicByte = 4;

inline bool is_stun(ByteView datagram) { return !datagram.empty() && datagram[0] < kFirstQuicByte; }
inline bool is_quic(ByteView datagram) {
    return !datagram.empty() && datagram[0] >= kFirstQuicByte;
}

} // namespace thru
