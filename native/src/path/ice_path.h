// One ICE agent and component (RFC 8445, trickle: RFC 8838), on libnice: exchanges candidates,
// checks pairs and nominates one. What carries datagrams is in its CarrierSet: that pair, with
// relays over TCP behind RelayDoors, DirectTcp where no UDP gets through, and Detour as the last
// one. Used on the network thread only.
#pragma once

#include <memory>
#include <string_view>

#include "base/error.h"
#include "crypto/ice_credentials.h"
#include "loop/event_loop.h"
#include "net/datagram_path.h"
#include "net/udp_batch.h"
#include "path/carrier_set.h"
#include "path/ice_servers.h"
#include "path/route.h"

namespace thru {

/// What the agent tells; all on the network thread, from within EventLoop::run_once.
class IceListener : public DatagramListener {
public:
    /// An SDP candidate line, `candidate:...`.
    virtual void on_local_candidate(std::string_view line) = 0;
    virtual void on_local_candidates_done() = 0;
    /// A carrier leads to the other computer; datagrams can be sent.
    virtual void on_ice_ready() = 0;
    /// No carrier does, and none will; or the relay that is used carries no more.
    virtual void on_ice_failed() = 0;
};

class IcePath final {
public:
    /// The sender controls (RFC 8445 section 6.1.1).
    static Result<std::unique_ptr<IcePath>> create(EventLoop &loop, const IceServers &servers,
                                                   bool controlling, IceListener &listener,
                                                   int socket_buffers = kSocketBufferBytes);
    ~IcePath();
    IcePath(const IcePath &) = delete;
    IcePath &operator=(const IcePath &) = delete;

    /// Candidates arrive at the listener from now on. NoRoute when there is no usable interface.
    Result<> gather();
    /// Checks are taken, and made, from now on; once, before or after `gather`.
    Result<> set_credentials(const IceCredentials &own, const IceCredentials &peer);
    void add_remote_candidate(std::string_view line);
    /// One more TURN server; its candidates follow if gathering has begun. False: it can't be used
    /// on this computer, or isn't wanted, or is a detour, and nothing follows.
    bool add_relay(const TurnServer &server);
    /// The other side uses no relay, so neither does this one from now on, as with
    /// RelayUse::Never. Only before one was asked: candidates can't be taken back.
    void refuse_relays();
    void remote_candidates_done();

    CarrierSet &carriers();
    const CarrierSet &carriers() const;
    /// on_ice_ready was called.
    bool ready() const { return carriers().ready(); }

private:
    struct State;
    explicit IcePath(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace thru
