// A channel of a TURN server (RFC 8656 section 12): datagrams of one peer, with four bytes in front
// of each. Knows nothing of sockets; libnice binds the channel and keeps it alive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "base/bytes.h"

namespace thru {

/// Number of the channel and length of the data.
inline constexpr std::size_t kChannelHeaderBytes = 4;

struct ChannelData {
    std::uint16_t channel = 0;
    ByteView data;
};

/// Nothing when it is something else, or shorter than it says. Padding is left out.
std::optional<ChannelData> parse_channel_data(ByteView datagram);

class RelayChannel {
public:
    /// What a batch of the server's asks for.
    enum class Next : std::uint8_t {
        GoOn,
        /// It holds something that only libnice understands: an answer to one of its requests, data
        /// outside of the channel.
        Control,
    };
    using Deliver = std::function<void(ByteView datagram)>;

    /// Takes datagrams from the server's address, one after another in `bytes`, each of `segment`
    /// but the last, which may be shorter; `deliver` gets those of QUIC. The first of them tells
    /// the channel's number: libnice binds the nominated pair's only.
    Next receive(ByteView bytes, std::size_t segment, const Deliver &deliver);

    /// Nothing until the peer's first datagram came through it.
    std::optional<std::uint16_t> number() const { return number_; }

    /// Datagrams of `segment` bytes, one after another but for the last, which may be shorter, each
    /// behind its header; valid until the next call. Only with a number. Over a stream of bytes
    /// each ends at a multiple of `alignment`.
    ByteView frame(ByteView bytes, std::size_t segment, std::size_t alignment = 1);

private:
    std::optional<std::uint16_t> number_;
    Bytes framed_;
};

} // namespace thru
