// What a datagram is, by its first byte (RFC 9443): STUN, ChannelData of TURN and QUIC share a
// socket.
#pragma once

#include "base/bytes.h"

namespace thru {

/// RFC 9443 gives STUN 0 to 3. Of what is above, only QUIC comes here, and ChannelData from a
/// relay, which RelayChannel takes off.
inline constexpr std::uint8_t kFirstQuicByte = 4;

inline bool is_stun(ByteView datagram) { return !datagram.empty() && datagram[0] < kFirstQuicByte; }
inline bool is_quic(ByteView datagram) {
    return !datagram.empty() && datagram[0] >= kFirstQuicByte;
}

} // namespace thru
