// Where libnice finds the TURN servers over TCP and TLS: at ports of this computer's own loopback,
// behind each of which tunnels lead to one server. Used on the network thread only.
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

class RelayDoors {
public:
    explicit RelayDoors(EventLoop &loop);
    ~RelayDoors();
    RelayDoors(const RelayDoors &) = delete;
    RelayDoors &operator=(const RelayDoors &) = delete;

    /// Where libnice is to find this server from now on. Nothing when no port can be had.
    struct Place {
        std::string host;
        std::uint16_t port = 0;
    };
    std::optional<Place> open(const TurnServer &server);
    /// No more connections are taken.
    void close();

    /// Whose port it is; null: of none.
    const TurnServer *server_at(std::uint16_t port) const;
    /// Datagrams of QUIC that come through the tunnels of this port go to the listener.
    void take(std::uint16_t port, DatagramListener &listener);
    /// libnice gets everything again.
    void leave();
    /// The tunnel that the other side's datagrams come through; null while libnice has to send.
    RelayTunnel *carrier();
    /// Why one of the servers can't be reached, if that is worth telling.
    std::optional<Error> failure() const;

private:
    struct Door;
    void accept(Door &door);

    EventLoop &loop_;
    std::vector<std::unique_ptr<Door>> doors_;
};

} // namespace thru
