#include "path/relay/relay_doors.h"

#include <algorithm>
#include <utility>

#include "net/tcp_listener.h"

namespace thru {

namespace {

/// libnice makes one connection from each of its addresses.
constexpr std::size_t kMaxTunnels = 32;

} // namespace

struct RelayDoors::Door {
    TurnServer server;
    std::uint16_t port = 0;
    /// Null once closed.
    std::unique_ptr<TcpListener> listening;
    std::vector<std::unique_ptr<RelayTunnel>> tunnels;

    void close(EventLoop &loop) {
        if (listening) {
            loop.unwatch(listening->descriptor());
            listening.reset();
        }
    }
};

RelayDoors::RelayDoors(EventLoop &loop) : loop_(loop) {}

RelayDoors::~RelayDoors() { close(); }

std::optional<RelayDoors::Place> RelayDoors::open(const TurnServer &server) {
    // libnice connects only from addresses of the server's family.
    const std::string host = server.host.find(':') == std::string::npos ? "127.0.0.1" : "::1";
    auto door = std::make_unique<Door>();
    door->server = server;
    door->listening = TcpListener::open(host);
    if (!door->listening) {
        return std::nullopt;
    }
    door->port = door->listening->port();
    auto &opened = *doors_.emplace_back(std::move(door));
    loop_.watch(opened.listening->descriptor(), [this, &opened] { accept(opened); });
    return Place{.host = host, .port = opened.port};
}

void RelayDoors::accept(Door &door) {
    while (auto libnice = door.listening->accept()) {
        if (door.tunnels.size() == kMaxTunnels) {
            // Replace a connection that has not shown the user's name.
            const auto stranger = std::ranges::find_if(
                door.tunnels, [](const auto &tunnel) { return !tunnel->known(); });
            if (stranger != door.tunnels.end()) {
                door.tunnels.erase(stranger);
            }
        }
        if (door.tunnels.size() < kMaxTunnels) {
            door.tunnels.push_back(
                std::make_unique<RelayTunnel>(loop_, std::move(libnice), door.server));
        }
    }
    // Otherwise a connection that can't be accepted would be reported forever.
    if (door.listening->broken()) {
        door.close(loop_);
    }
}

void RelayDoors::close() {
    for (const auto &door : doors_) {
        door->close(loop_);
    }
}

const TurnServer *RelayDoors::server_at(std::uint16_t port) const {
    const auto found = std::ranges::find(doors_, port, [](const auto &door) { return door->port; });
    return found == doors_.end() ? nullptr : &(*found)->server;
}

void RelayDoors::take(std::uint16_t port, DatagramListener &listener) {
    for (const auto &door : doors_) {
        for (const auto &tunnel : door->tunnels) {
            if (door->port == port) {
                tunnel->take(listener);
            }
        }
    }
}

void RelayDoors::release() {
    for (const auto &door : doors_) {
        for (const auto &tunnel : door->tunnels) {
            tunnel->release();
        }
    }
}

RelayTunnel *RelayDoors::carrier() {
    RelayTunnel *latest = nullptr;
    for (const auto &door : doors_) {
        for (const auto &tunnel : door->tunnels) {
            if (tunnel->sends() &&
                (latest == nullptr || tunnel->last_received() > latest->last_received())) {
                latest = tunnel.get();
            }
        }
    }
    return latest;
}

std::optional<Error> RelayDoors::failure() const {
    std::optional<Error> any;
    for (const auto &door : doors_) {
        for (const auto &tunnel : door->tunnels) {
            const auto failure = tunnel->failure();
            if (failure && (!any || failure->code == ErrorCode::RelayIdentity)) {
                any = failure;
            }
        }
    }
    return any;
}

} // namespace thru
