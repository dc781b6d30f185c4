// Messages of TURN over a stream of bytes (RFC 8656 section 12.5, RFC 8489 section 6.2.2): each
// tells its own length, and ChannelData is padded to four bytes.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

#include "base/bytes.h"

namespace thru {

/// ChannelData is padded to a multiple of this over a stream.
inline constexpr std::size_t kStreamAlignment = 4;

/// Bytes of the first message of a stream with its padding; 0 when its length isn't there yet.
/// Nothing when it is no message of TURN.
std::optional<std::size_t> relay_frame_bytes(ByteView stream);

/// A request for an address of the relay (Allocate, RFC 8656 section 7.1). The first one of a
/// connection has no user name.
struct AllocateRequest {
    std::optional<std::string_view> user;
};
/// Nothing when the message is something else.
std::optional<AllocateRequest> parse_allocate_request(ByteView frame);

/// Cuts a stream into its messages.
class RelayFrames {
public:
    /// Takes what came; `take` gets each message that is complete, with its padding. False: this is
    /// no TURN, and nothing after it can be understood.
    bool receive(ByteView bytes, const std::function<void(ByteView frame)> &take);

private:
    /// The beginning of a message whose end hasn't come yet.
    Bytes begun_;
};

} // namespace thru
