#include "path/relay/loopback_relay_proxy.h"

#include <algorithm>
#include <utility>

#include "net/tcp_listener.h"

namespace thru {

namespace {

/// libnice makes one connection from each of its addresses.
constexpr std::size_t kMaxTunnels = 32;

} // namespace

struct LoopbackRelayProxy::Entry {
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

LoopbackRelayProxy::LoopbackRelayProxy(EventLoop &loop) : loop_(loop) {}

LoopbackRelayProxy::~LoopbackRelayProxy() { close(); }

std::optional<LoopbackRelayProxy::Place> LoopbackRelayProxy::open(const TurnServer &server) {
    // libnice connects only from addresses of the server's family.
    const std::string host = server.host.find(':') == std::string::npos ? "127.0.0.1" : "::1";
    auto entry = std::make_unique<Entry>();
    entry->server = server;
    entry->listening = TcpListener::open(host);
    if (!entry->listening) {
        return std::nullopt;
    }
    entry->port = entry->listening->port();
    auto &opened = *entries_.emplace_back(std::move(entry));
    loop_.watch(opened.listening->descriptor(), [this, &opened] { accept(opened); });
    return Place{.host = host, .port = opened.port};
}

void LoopbackRelayProxy::accept(Entry &entry) {
    while (auto libnice = entry.listening->accept()) {
        if (entry.tunnels.size() == kMaxTunnels) {
            // Replace a connection that has not shown the user's name.
            const auto stranger = std::ranges::find_if(
                entry.tunnels, [](const auto &tunnel) { return !tunnel->known(); });
            if (stranger != entry.tunnels.end()) {
                entry.tunnels.erase(stranger);
            }
        }
        if (entry.tunnels.size() < kMaxTunnels) {
            entry.tunnels.push_back(
                std::make_unique<RelayTunnel>(loop_, std::move(libnice), entry.server));
        }
    }
    // Otherwise a connection that can't be accepted would be reported forever.
    if (entry.listening->broken()) {
        entry.close(loop_);
    }
}

void LoopbackRelayProxy::close() {
    for (const auto &entry : entries_) {
        entry->close(loop_);
    }
}

const TurnServer *LoopbackRelayProxy::server_at(std::uint16_t port) const {
    const auto found =
        std::ranges::find(entries_, port, [](const auto &entry) { return entry->port; });
    return found == entries_.end() ? nullptr : &(*found)->server;
}

void LoopbackRelayProxy::take(std::uint16_t port, DatagramListener &listener) {
    for (const auto &entry : entries_) {
        for (const auto &tunnel : entry->tunnels) {
            if (entry->port == port) {
                tunnel->take(listener);
            }
        }
    }
}

void LoopbackRelayProxy::release() {
    for (const auto &entry : entries_) {
        for (const auto &tunnel : entry->tunnels) {
            tunnel->release();
        }
    }
}

RelayTunnel *LoopbackRelayProxy::carrier() {
    RelayTunnel *latest = nullptr;
    for (const auto &entry : entries_) {
        for (const auto &tunnel : entry->tunnels) {
            if (tunnel->sends() &&
                (latest == nullptr || tunnel->last_received() > latest->last_received())) {
                latest = tunnel.get();
            }
        }
    }
    return latest;
}

std::optional<Error> LoopbackRelayProxy::failure() const {
    std::optional<Error> any;
    for (const auto &entry : entries_) {
        for (const auto &tunnel : entry->tunnels) {
            const auto failure = tunnel->failure();
            if (failure && (!any || failure->code == ErrorCode::RelayIdentity)) {
                any = failure;
            }
        }
    }
    return any;
}

} // namespace thru
