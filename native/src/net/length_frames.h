// Datagrams in a stream of bytes, each behind two bytes of length (RFC 4571).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/bytes.h"

namespace thru {

inline constexpr std::size_t kFrameLengthBytes = 2;
/// What two bytes can tell.
inline constexpr std::size_t kMaxLengthFrameBytes = 0xffff;

/// What stands before a datagram of so many bytes.
std::array<std::uint8_t, kFrameLengthBytes> length_of_frame(std::size_t bytes);

/// Appends datagrams that lie one after another, each of `segment` bytes but the last, which may be
/// shorter.
void append_length_frames(Bytes &out, ByteView datagrams, std::size_t segment);

/// Cuts a stream into its datagrams.
class LengthFrames {
public:
    /// Longer ones break the stream.
    void set_most(std::size_t bytes) { most_ = bytes; }
    /// Takes what came; `take` gets each datagram, and says whether to go on. False: the stream is
    /// broken.
    bool receive(ByteView bytes, const std::function<bool(ByteView datagram)> &take);

private:
    std::size_t most_ = kMaxLengthFrameBytes;
    /// The beginning of one whose end has not come yet, with its length.
    Bytes begun_;
};

} // namespace thru
