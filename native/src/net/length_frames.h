// Datagrams in a byte stream, each prefixed with its length in two bytes (RFC 4571).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/bytes.h"

namespace thru {

inline constexpr std::size_t kFrameLengthBytes = 2;
/// The largest length that two bytes can hold.
inline constexpr std::size_t kMaxLengthFrameBytes = 0xffff;

/// The length prefix of a datagram of `bytes` bytes.
std::array<std::uint8_t, kFrameLengthBytes> length_of_frame(std::size_t bytes);

/// Appends consecutive datagrams, each of `segment` bytes except the last, which may be shorter.
void append_length_frames(Bytes &out, ByteView datagrams, std::size_t segment);

class LengthFrames {
public:
    /// Sets the maximum length of a datagram; a longer one breaks the stream.
    void set_max_bytes(std::size_t bytes) { max_bytes_ = bytes; }
    /// Passes each datagram to `take`, which returns false to stop. False: the stream is broken.
    bool receive(ByteView bytes, const std::function<bool(ByteView datagram)> &take);

private:
    std::size_t max_bytes_ = kMaxLengthFrameBytes;
    /// The beginning of an incomplete datagram, with its length.
    Bytes begun_;
};

} // namespace thru
