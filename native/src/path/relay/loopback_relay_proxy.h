// Presents TURN servers over TCP and TLS to libnice at ports of the loopback; tunnels lead from
// each port to one server. Network thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loop/event_loop.h"
#include "path/ice_servers.h"
#include "path/relay/relay_tunnel.h"

namespace thru {

class LoopbackRelayProxy {
public:
    explicit LoopbackRelayProxy(EventLoop &loop);
    ~LoopbackRelayProxy();
    LoopbackRelayProxy(const LoopbackRelayProxy &) = delete;
    LoopbackRelayProxy &operator=(const LoopbackRelayProxy &) = delete;

    /// The address at which libnice finds a server; `open` returns nullopt if no port is free.
    struct Place {
        std::string host;
        std::uint16_t port = 0;
    };
    std::optional<Place> open(const TurnServer &server);
    /// Accepts no more connections.
    void close();

    /// The server of a port; null if it has none.
    const TurnServer *server_at(std::uint16_t port) const;
    /// Sends QUIC datagrams from the tunnels of this port to the listener.
    void take(std::uint16_t port, DatagramListener &listener);
    /// Lets libnice receive everything again.
    void release();
    /// The tunnel that carries the other side's datagrams; null while libnice has to send.
    RelayTunnel *carrier();
    /// The reason that a server can't be reached, if it is worth reporting.
    std::optional<Error> failure() const;

private:
    struct Entry;
    void accept(Entry &entry);

    EventLoop &loop_;
    std::vector<std::unique_ptr<Entry>> entries_;
};

} // namespace thru
