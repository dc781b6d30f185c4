// A channel of a TURN server (RFC 8656 section 12): datagrams of one peer, each with a header of
// four bytes. Knows no sockets; libnice binds the channel and keeps it alive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "base/bytes.h"

namespace thru {

/// Channel number and length of the data.
inline constexpr std::size_t kChannelHeaderBytes = 4;

struct ChannelData {
    std::uint16_t channel = 0;
    ByteView data;
};

/// Returns nullopt for anything else, or if the data is truncated. Padding is left out.
std::optional<ChannelData> parse_channel_data(ByteView datagram);

class RelayChannel {
public:
    enum class Next : std::uint8_t {
        GoOn,
        /// It has data for libnice: an answer to a request, or data outside the channel.
        Control,
    };
    using Deliver = std::function<void(ByteView datagram)>;

    /// Takes consecutive datagrams from the server's address in `bytes`, each of `segment` except
    /// the last, which may be shorter; `deliver` gets the QUIC ones. The first of these reveals the
    /// channel number, because libnice binds only the nominated pair's.
    Next receive(ByteView bytes, std::size_t segment, const Deliver &deliver);

    /// nullopt until the peer's first datagram has arrived through the channel.
    std::optional<std::uint16_t> number() const { return number_; }

    /// Adds headers to consecutive datagrams of `segment` bytes; the last may be shorter. Requires
    /// a number. Over a stream each ends at a multiple of `alignment`. Valid until the next call.
    ByteView frame(ByteView bytes, std::size_t segment, std::size_t alignment = 1);

private:
    std::optional<std::uint16_t> number_;
    Bytes framed_;
};

} // namespace thru
