// One ICE agent and component (RFC 8445, trickle: RFC 8838), on libnice: finds a way to the other
// computer, carries datagrams over it, and lets OwnSocket take the socket out of libnice's hands,
// because batches on the bare socket cost a third of the CPU. Relays over TCP are behind
// RelayDoors, DirectTcp finds the way where no UDP gets through, and Detour is the last one. Used
// on the network thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "base/relay_use.h"
#include "crypto/ice_credentials.h"
#include "loop/event_loop.h"
#include "net/datagram_path.h"
#include "net/proxy_handshake.h"
#include "net/udp_batch.h"
#include "path/relay/relay_reason.h"

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
    /// As a person or the signaling server named it: a host name or an address.
    std::string name{};
    /// Of a detour: where the WebSocket is at the signaling server, whose ticket is the password.
    /// Behind a proxy its host may be a name.
    std::string path{};
};

struct IceServers {
    std::vector<StunServer> stun;
    std::vector<TurnServer> turn;
    RelayUse relay_use = RelayUse::Automatic;
};

struct Route {
    enum class Kind : std::uint8_t { Local, Direct, Relay };
    Kind kind = Kind::Direct;
    bool ipv6 = false;
    /// TCP leads there: to the other computer, or to this one's relay.
    bool tcp = false;
    /// The relay is the signaling server itself.
    bool detour = false;
    std::string remote;
    std::string relay;
    /// Known to who sees the candidates.
    RelayReason why = RelayReason::None;
    /// What the system gave the socket, in bytes; 0: unknown.
    SocketBuffers buffers{};
};

/// What the agent tells; all on the network thread, from within EventLoop::run_once.
class IceListener {
public:
    virtual ~IceListener() = default;
    /// An SDP candidate line, `candidate:...`.
    virtual void on_local_candidate(std::string_view line) = 0;
    virtual void on_local_candidates_done() = 0;
    /// A pair works; datagrams can be sent.
    virtual void on_ice_ready() = 0;
    /// No pair works, and none will; or the relay that is used carries no more.
    virtual void on_ice_failed() = 0;
    /// Without `from` they came from where the other computer is known to be.
    virtual void on_datagrams(ByteView bytes, std::size_t segment_bytes, const Address &from) = 0;
    /// A path that was busy may take datagrams again.
    virtual void on_writable() = 0;
};

class IcePath final : public DatagramPath {
public:
    /// The sender controls (RFC 8445 section 6.1.1).
    static Result<std::unique_ptr<IcePath>> create(EventLoop &loop, const IceServers &servers,
                                                   bool controlling, IceListener &listener,
                                                   int socket_buffers = kSocketBufferBytes);
    ~IcePath() override;

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
    /// A detour was added, and may still lead somewhere.
    bool may_detour() const;
    void remote_candidates_done();

    /// A pair works: on_ice_ready was called.
    bool ready() const;
    /// Only then.
    Route route() const;
    /// The address of this computer from which it goes is still there. Only when ready.
    bool has_local_address() const;
    /// Nothing comes: on a direct route that was taken over, what is sent goes by a fresh socket,
    /// too, until `settle`, and then by that one on which something came.
    void doubt();
    void settle();
    /// Sizes of UDP payload worth trying on this route, in bytes and in this order; see
    /// ConnectionSettings.
    std::span<const std::uint16_t> datagram_bytes() const;

    /// Why a relay can't be used, if that is worth telling where nothing else works.
    std::optional<Error> relay_failure() const;

    /// What may carry beside the pair's socket.
    enum class Beside : std::uint8_t {
        Nothing,
        /// In a local network a connection of TCP, through which datagrams go that are larger than
        /// frames, and many in a call on every system. When it ends, all goes by the pair again.
        Tcp,
    };
    /// Moves datagrams to the pair's own socket, on a relayed route to that of the server. Both
    /// ends do it when they like.
    void take_socket(Beside beside = Beside::Nothing);
    /// What was beside the socket is left: it may lead nowhere any more. False: nothing was.
    bool leave_beside();
    /// The same where it goes from an address that this computer has no more.
    void leave_beside_if_gone();
    /// Datagrams go through a connection of TCP with the other computer at present.
    bool carries_by_tcp() const;

    Sent send(ByteView bytes, std::size_t segment_bytes, const Way &way) override;
    /// By the pair's socket, and by what is beside it: either may lead nowhere.
    Sent send_last(ByteView datagram, const Way &way) override;

private:
    struct State;
    explicit IcePath(std::unique_ptr<State> state);
    Sent send_by_pair(ByteView bytes, std::size_t segment_bytes, const Way &way);
    std::unique_ptr<State> state_;
};

} // namespace thru
