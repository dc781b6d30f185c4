// The pair that ICE nominates, as a carrier. libnice sends and receives until `settle`, which takes
// the socket out of its hands, because batches on the bare socket cost a third of the CPU; on a
// relayed route it takes that to the server. Used on the network thread only.
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
#include "path/ice_servers.h"
#include "path/relay/relay_doors.h"
#include "path/taken_sockets.h"

namespace thru {

class AgentPair final : public Carrier, private DatagramListener {
public:
    struct Settings {
        /// Outlives this, as do the doors. libnice's stream has one component.
        NiceAgent *agent = nullptr;
        guint stream = 0;
        bool controlling = false;
        RelayUse relay_use = RelayUse::Automatic;
        int socket_buffers = kSocketBufferBytes;
    };
    /// `doors`: to the relays over TCP.
    AgentPair(EventLoop &loop, CarrierListener &listener, RelayDoors &doors, Settings settings);
    ~AgentPair() override;
    AgentPair(const AgentPair &) = delete;
    AgentPair &operator=(const AgentPair &) = delete;

    /// libnice has its sockets. Before the handshake: a datagram of MTU discovery that the system
    /// splits would arrive on a path that does not take it.
    void prepare_sockets();
    void set_relay_use(RelayUse use) { settings_.relay_use = use; }
    /// A relay is at this literal address, also if it is not used.
    void note_relay(const std::string &address);
    /// The other side names no more candidates.
    void set_remote_done();
    /// libnice has a pair that works, or a better one in its place.
    void on_pair();
    bool has_pair() const { return connected_; }
    /// libnice has none, and will have none.
    void on_no_pair();

    CarrierKind kind() const override;
    CarrierState state() const override;
    void settle(bool used) override;
    Route route() const override;
    std::span<const std::uint16_t> datagram_bytes() const override;
    Address local() const override;
    DatagramPath::Sent send(ByteView bytes, std::size_t segment_bytes, const Way &way) override;
    std::optional<Error> failure() const override { return doors_.failure(); }
    /// On a direct route what is sent goes by a fresh socket, too, and then by that one on which
    /// something came.
    void doubt() override;
    void trust() override;

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
    void let_agent_read(bool reads);
    void on_datagrams(ByteView bytes, std::size_t segment_bytes, const Address &from) override;
    void on_writable() override { listener_.on_carrier_writable(*this); }

    EventLoop &loop_;
    CarrierListener &listener_;
    RelayDoors &doors_;
    Settings settings_;
    bool connected_ = false;
    bool failed_ = false;
    bool remote_done_ = false;
    /// Addresses, without a port, of all known relays, also of unused ones.
    std::vector<NiceAddress> relays_;
    /// Receives in a context that nobody runs: libnice leaves the socket alone.
    GMainContext *parked_ = nullptr;
    /// Every socket gets the same.
    SocketBuffers buffers_{};
    std::optional<TakenSockets> taken_;
};

} // namespace thru
