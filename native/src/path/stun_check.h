// Connectivity checks that the engine makes itself, over TCP: a binding request and its answer (RFC
// 8445 section 7.1, RFC 8489) under the pairing's credentials. Knows no sockets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "crypto/ice_credentials.h"

namespace thru {

/// Maximum size of a check and its answer.
inline constexpr std::size_t kMaxCheckBytes = 256;

/// Random bytes that the answer repeats.
using StunTransaction = std::array<std::uint8_t, 12>;

struct CheckCredentials {
    IceCredentials own;
    IceCredentials peer;
};

/// Makes a request to the other side.
Bytes stun_check(const CheckCredentials &credentials, const StunTransaction &transaction);
struct StunAnswer {
    /// The request's transaction; a repeated one is a replay.
    StunTransaction transaction{};
    Bytes message;
};
/// The answer to a request of the other side; nullopt for anything else.
std::optional<StunAnswer> answer_stun_check(ByteView message, const CheckCredentials &credentials);
/// True if the message is the other side's answer to the request.
bool answers_stun_check(ByteView message, const CheckCredentials &credentials,
                        const StunTransaction &transaction);

} // namespace thru
