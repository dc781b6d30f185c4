#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/relay_use.h"
#include "net/proxy_handshake.h"

namespace thru {

struct StunServer {
    std::string host;
    std::uint16_t port = 0;
};

struct TurnServer {
    std::string host;
    std::uint16_t port = 0;
    std::string user;
    std::string password;
    bool tcp = false;
    /// Used for TCP only.
    std::optional<RelayProxy> proxy{};
    /// TLS over that TCP connection, to a server with a certificate for `name`.
    bool tls = false;
    /// The host name or address as a person or the signaling server named it.
    std::string name{};
    /// The WebSocket's path at the signaling server, for a server relay; its ticket is the
    /// password. Behind a proxy the host may be a name.
    std::string path{};
};

struct IceServers {
    std::vector<StunServer> stun;
    std::vector<TurnServer> turn;
    RelayUse relay_use = RelayUse::Automatic;
};

} // namespace thru
