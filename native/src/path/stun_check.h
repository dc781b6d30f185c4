// Connectivity checks of ICE as the engine makes them itself, over connections of TCP: a binding
// request and its answer (RFC 8445 section 7.1, RFC 8489) under the credentials of the pairing.
// Knows nothing of sockets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "crypto/ice_credentials.h"

namespace thru {

/// What a check and its answer stay below.
inline constexpr std::size_t kMaxCheckBytes = 256;

/// Random bytes that the answer repeats.
using StunTransaction = std::array<std::uint8_t, 12>;

/// The credentials of the two sides of a check.
struct CheckCredentials {
    IceCredentials own;
    IceCredentials peer;
};

/// A request to the other side.
Bytes stun_check(const CheckCredentials &credentials, const StunTransaction &transaction);
struct StunAnswer {
    /// That of the request: one that comes a second time was recorded by somebody.
    StunTransaction transaction{};
    Bytes message;
};
/// The answer to a request of the other side's; nothing for everything else.
std::optional<StunAnswer> answer_stun_check(ByteView message, const CheckCredentials &credentials);
/// Whether the other side answered the request.
bool answers_stun_check(ByteView message, const CheckCredentials &credentials,
                        const StunTransaction &transaction);

} // namespace thru
