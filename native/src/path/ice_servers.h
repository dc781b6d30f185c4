// Servers by which a path is found.
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
    /// Only for TCP.
    std::optional<RelayProxy> proxy{};
    /// TLS over that TCP, to a server whose certificate is of `name`.
    bool tls = false;
    /// The name by which a person or the signaling server gave it: a host name or an address.
    std::string name{};
    /// The WebSocket's path at the signaling server, for a detour, whose ticket is the password.
    /// Behind a proxy its host may be a name.
    std::string path{};
};

struct IceServers {
    std::vector<StunServer> stun;
    std::vector<TurnServer> turn;
    RelayUse relay_use = RelayUse::Automatic;
};

} // namespace thru
