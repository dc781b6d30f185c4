// The pair that ICE nominates, as a carrier. libnice sends and receives until `settle`, which takes
// over the socket, because batches on the bare socket take a third of the CPU time. On a relayed
// route it takes the socket to the server. Network thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loop/glib.h"

#include <nice/agent.h>

#include "base/relay_use.h"
#include "loop/event_loop.h"
#include "net/datagram_path.h"
#include "net/udp_batch.h"
#include "path/carrier.h"
#include "path/detached_sockets.h"
#include "path/ice_servers.h"
#include "path/relay/loopback_relay_proxy.h"

namespace thru {

class AgentPair final : public Carrier, private DatagramListener {
public:
    struct Settings {
        /// Must outlive this object, as must the loopback ports. libnice's stream has one
        /// component.
        NiceAgent *agent = nullptr;
        guint stream = 0;
        bool controlling = false;
        RelayUse relay_use = RelayUse::Automatic;
        int socket_buffers = kSocketBufferBytes;
    };
    /// `relay_proxy` leads to the relays over TCP.
    AgentPair(EventLoop &loop, CarrierListener &listener, LoopbackRelayProxy &relay_proxy,
              Settings settings);
    ~AgentPair() override;

    /// Call this once libnice has its sockets and before the handshake. Otherwise a fragmented
    /// probe of MTU discovery could arrive on a path that can't carry its size.
    void prepare_sockets();
    void set_relay_use(RelayUse use) { settings_.relay_use = use; }
    /// A relay has this literal address, even if it is not used.
    void note_relay(const std::string &address);
    /// See IcePath.
    void expect_relays() { theirs_relayed_ = true; }
    void set_remote_done();
    /// libnice has a working pair, or a better one than before.
    void on_pair();
    bool has_pair() const { return connected_; }
    /// libnice has no pair and won't find one.
    void on_no_pair();

    CarrierKind kind() const override;
    CarrierState state() const override;
    void settle(bool used) override;
    Route route() const override;
    std::span<const std::uint16_t> datagram_bytes() const override;
    Address local() const override;
    Address remote() const override;
    DatagramPath::Sent send(ByteView bytes, std::size_t segment_bytes,
                            const PathId &path_id) override;
    std::optional<Error> failure() const override { return relay_proxy_.failure(); }
    /// On a direct route, also sends by a fresh socket, and only by that once it works.
    void suspect() override;
    void confirm() override;

private:
    struct Selected {
        const NiceCandidate &local;
        const NiceCandidate &remote;
    };
    std::optional<Selected> selected() const;
    bool relayed(const Selected &pair) const;
    bool surely_direct(const Selected &pair) const;
    /// The server behind a candidate at a relay over TCP; null for other candidates.
    const TurnServer *server_of(const NiceCandidate &local) const;
    void set_agent_reading(bool reads);
    void on_datagrams(ByteView bytes, std::size_t segment_bytes, const Address &from) override;
    void on_writable() override { listener_.on_carrier_writable(*this); }

    EventLoop &loop_;
    CarrierListener &listener_;
    LoopbackRelayProxy &relay_proxy_;
    Settings settings_;
    bool connected_ = false;
    bool failed_ = false;
    bool remote_done_ = false;
    /// All of the other side's addresses are relays'.
    bool theirs_relayed_ = false;
    /// Addresses of all known relays, even unused ones, without ports.
    std::vector<NiceAddress> relays_;
    /// A context that is never run, so that libnice leaves the socket alone.
    GMainContext *idle_context_ = nullptr;
    /// The same for every socket.
    SocketBuffers buffers_{};
    std::optional<DetachedSockets> detached_;
};

} // namespace thru
