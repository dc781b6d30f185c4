// The route to the other computer, as people are shown it.
#pragma once

#include <cstdint>
#include <string>

#include "net/udp_batch.h"
#include "path/relay/relay_reason.h"

namespace thru {

struct Route {
    enum class Kind : std::uint8_t { Local, Direct, Relay };
    Kind kind = Kind::Direct;
    bool ipv6 = false;
    /// TCP leads there: to the other computer, or to this one's relay.
    bool tcp = false;
    /// The relay is the signaling server itself.
    bool detour = false;
    std::string remote;
    std::string relay;
    /// Known to who sees the candidates.
    RelayReason why = RelayReason::None;
    /// The socket's buffers as the system gave them, in bytes; 0: unknown.
    SocketBuffers buffers{};
};

} // namespace thru
