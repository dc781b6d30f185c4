// TURN messages in a byte stream (RFC 8656 section 12.5, RFC 8489 section 6.2.2). Each has its own
// length, and ChannelData is padded to four bytes.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

#include "base/bytes.h"

namespace thru {

/// ChannelData is padded to a multiple of this in a stream.
inline constexpr std::size_t kStreamAlignment = 4;

/// Size of a stream's first message with padding; 0 if incomplete, nullopt if it is not TURN.
std::optional<std::size_t> relay_frame_bytes(ByteView stream);

/// A request for a relay's address (Allocate, RFC 8656 section 7.1); the first has no user name.
struct AllocateRequest {
    std::optional<std::string_view> user;
};
/// Returns nullopt for any other message.
std::optional<AllocateRequest> parse_allocate_request(ByteView frame);

class RelayFrames {
public:
    /// Takes received bytes; `take` gets each complete message with its padding. Returns false if
    /// this is not TURN; the rest of the stream is then unusable.
    bool receive(ByteView bytes, const std::function<void(ByteView frame)> &take);

private:
    /// The beginning of an incomplete message.
    Bytes begun_;
};

} // namespace thru
