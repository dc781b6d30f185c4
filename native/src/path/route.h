// The route to the other computer as shown to people.
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
    /// On a direct route over UDP: both addresses are of one site, perhaps with a router between
    /// them. They are private (RFC 1918, RFC 4193) or share their first 48 bits (RFC 6177).
    bool one_site = false;
    /// True if TCP leads to the other computer, or to this side's relay.
    bool tcp = false;
    /// The relay is the signaling server itself.
    bool server_relay = false;
    std::string remote;
    /// Identifies the networks of both ends on a direct route over UDP: the first 24 bits of their
    /// IPv4 addresses or 48 of their IPv6 addresses, as bytes. Empty on other routes.
    std::string networks;
    std::string relay;
    /// Set by the code that sees the candidates.
    RelayReason why = RelayReason::None;
    /// Granted socket buffers in bytes; 0 if unknown.
    SocketBuffers buffers{};

    bool may_be_near() const { return kind == Kind::Local || one_site; }
};

} // namespace thru
