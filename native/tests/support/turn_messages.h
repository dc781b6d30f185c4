// Messages that a TURN server sends to its clients (RFC 8656), for tests.
#pragma once

#include <string_view>

#include "base/byte_reader.h"
#include "base/bytes.h"

namespace thru::test {

/// First byte of a QUIC packet with a short header.
inline constexpr std::uint8_t kQuicByte = 0x45;
inline constexpr std::uint16_t kFirstTurnChannel = 0x4000;
inline constexpr std::uint16_t kRefreshSuccess = 0x0104;
inline constexpr std::uint16_t kDataIndication = 0x0017;
inline constexpr std::uint16_t kBindingIndication = 0x0011;

inline Bytes channel_data(std::uint16_t channel, ByteView data) {
    Bytes bytes{static_cast<std::uint8_t>(channel >> 8U), static_cast<std::uint8_t>(channel),
                static_cast<std::uint8_t>(data.size() >> 8U),
                static_cast<std::uint8_t>(data.size())};
    bytes.insert(bytes.end(), data.begin(), data.end());
    return bytes;
}

/// The header of a STUN message without attributes.
inline Bytes stun_header(std::uint16_t type) {
    constexpr std::size_t kHeaderBytes = 20;
    Bytes bytes(kHeaderBytes);
    bytes[0] = static_cast<std::uint8_t>(type >> 8U);
    bytes[1] = static_cast<std::uint8_t>(type);
    return bytes;
}

/// An Allocate request of the user with this name, whose length must be a multiple of four.
inline Bytes allocate_request(std::string_view user) {
    constexpr std::uint16_t kAllocate = 0x0003;
    constexpr std::uint16_t kUsername = 0x0006;
    constexpr std::size_t kAttributeHeaderBytes = 4;
    auto bytes = stun_header(kAllocate);
    bytes[3] = static_cast<std::uint8_t>(kAttributeHeaderBytes + user.size());
    append_big_endian(bytes, kUsername, 2);
    append_big_endian(bytes, user.size(), 2);
    append_bytes(bytes, as_bytes(user));
    return bytes;
}

} // namespace thru::test
