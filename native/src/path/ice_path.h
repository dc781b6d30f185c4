// One ICE agent and component (RFC 8445, trickle: RFC 8838), on libnice: exchanges candidates,
// checks pairs and nominates one. Its CarrierSet carries the datagrams through that pair, with
// relays over TCP behind LoopbackRelayProxy. DirectTcp is used if no UDP gets through, and a server
// relay as the last resort. Network thread only.
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

namespace thru {

/// The agent's reports, on the network thread from within EventLoop::run_once.
class IceListener : public DatagramListener {
public:
    /// An SDP candidate line, `candidate:...`.
    virtual void on_local_candidate(std::string_view line) = 0;
    virtual void on_local_candidates_done() = 0;
    /// A carrier leads to the other computer; datagrams can be sent.
    virtual void on_ice_ready() = 0;
    /// No carrier leads there and none will, or the used relay's quota is used up.
    virtual void on_ice_failed() = 0;
};

class IcePath final {
public:
    /// `controlling` is true for the sender (RFC 8445 section 6.1.1).
    static Result<std::unique_ptr<IcePath>> create(EventLoop &loop, const IceServers &servers,
                                                   bool controlling, IceListener &listener,
                                                   int socket_buffers = kSocketBufferBytes);
    ~IcePath();
    IcePath(const IcePath &) = delete;
    IcePath &operator=(const IcePath &) = delete;

    /// Starts to report candidates to the listener. NoRoute if there is no usable interface.
    Result<> gather();
    /// Starts connectivity checks. Call this once, before or after `gather`.
    Result<> set_credentials(const IceCredentials &own, const IceCredentials &peer);
    void add_remote_candidate(std::string_view line);
    /// Adds a TURN server; its candidates follow if gathering has begun. Returns false if it can't
    /// be used on this computer, isn't wanted, or is a server relay: no candidates follow.
    bool add_relay(const TurnServer &server);
    /// The other side uses no relay, so this one doesn't either, as with RelayUse::Never. Call this
    /// before any relay is queried, because candidates can't be withdrawn.
    void refuse_relays();
    /// The other side uses only relays, so every pair leads through one of them.
    void expect_relays();
    void remote_candidates_done();

    /// This computer's addresses that others can use, once `gather` was called.
    const std::vector<std::string> &hosts() const;
    CarrierSet &carriers();
    const CarrierSet &carriers() const;
    /// True once on_ice_ready was called.
    bool ready() const { return carriers().ready(); }

private:
    struct State;
    explicit IcePath(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace thru
