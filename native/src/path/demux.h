// Distinguishes datagrams by their first byte (RFC 9443): STUN, QUIC and TURN's ChannelData.
#pragma once

#include "base/bytes.h"

namespace thru {

/// RFC 9443 assigns 0 to 3 to STUN. Higher values are QUIC here; RelayChannel removes ChannelData.
inline constexpr std::uint8_t kFirstQuicByte = 4;

inline bool is_stun(ByteView datagram) { return !datagram.empty() && datagram[0] < kFirstQuicByte; }
inline bool is_quic(ByteView datagram) {
    return !datagram.empty() && datagram[0] >= kFirstQuicByte;
}

} // namespace thru
