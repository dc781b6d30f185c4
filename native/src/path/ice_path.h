// One ICE agent and component (RFC 8445, trickle: RFC 8838), on libnice: finds a way to the other
// computer, carries datagrams over it, and lets OwnSocket take the socket out of libnice's hands,
// because batches on the bare socket cost a third of the CPU; relays over TCP stay with libnice.
// Used on the network thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "crypto/ice_credentials.h"
#include "path/datagram_path.h"
#include "path/event_loop.h"
#include "path/udp_batch.h"

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
};

struct IceServers {
    std::vector<StunServer> stun;
    std::vector<TurnServer> turn;
    bool relay_only = false;
};

struct Route {
    enum class Kind : std::uint8_t { Local, Direct, Relay };
    Kind kind = Kind::Direct;
    bool ipv6 = false;
    /// To this computer's relay over TCP.
    bool tcp = false;
    std::string remote;
    std::string relay;
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
    /// No pair works, and none will.
    virtual void on_ice_failed() = 0;
    virtual void on_datagrams(ByteView bytes, std::size_t segment_bytes) = 0;
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
    /// One more TURN server; its candidates follow if gathering has begun.
    void add_relay(const TurnServer &server);
    void remote_candidates_done();

    /// A pair works: on_ice_ready was called.
    bool ready() const;
    /// Only then.
    Route route() const;
    /// Sizes of UDP payload worth trying on this route, in bytes and in this order; see
    /// ConnectionSettings.
    std::span<const std::uint16_t> datagram_bytes() const;

    /// Moves datagrams to the pair's own socket, on a relayed route over UDP to that of the server;
    /// does nothing for a relay over TCP. Both ends do it when they like.
    void take_socket();

    Sent send(ByteView bytes, std::size_t segment_bytes) override;

private:
    struct State;
    explicit IcePath(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace thru
