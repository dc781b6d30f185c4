#include "path/agent_pair.h"

#include <algorithm>
#include <array>
#include <utility>

#include "net/on_link.h"
#include "path/address_text.h"
#include "path/agent_sockets.h"
#include "path/demux.h"

namespace thru {

namespace {

/// IPv4 and IPv6 over Ethernet, then PPPoE and common tunnels, which carry less.
constexpr std::array<std::uint16_t, 4> kDirectDatagramBytes{1452, 1404, 1372, 1280};
/// Jumbo frames of 9,000 bytes, or 4,088 for cards without larger ones, save a third of the CPU. A
/// network without them refuses or drops a few probes. TCP alongside UDP carries any size.
constexpr std::array<std::uint16_t, 6> kLocalDatagramBytes{1452, 8952, 4040, 1404, 1372, 1280};
/// IPv6 over Ethernet minus a channel's header, then minus a TURN Send indication (RFC 8656 10).
constexpr std::array<std::uint16_t, 3> kRelayedDatagramBytes{1448, 1400, 1280};

Address address_of(const NiceAddress &address) {
    sockaddr_storage native{};
    nice_address_copy_to_sockaddr(&address, reinterpret_cast<sockaddr *>(&native));
    return Address(reinterpret_cast<const sockaddr &>(native));
}

/// See Route::networks.
std::string network_of(const NiceAddress &address) {
    if (nice_address_ip_version(&address) == 4) {
        return {reinterpret_cast<const char *>(&address.s.ip4.sin_addr), 3};
    }
    return {reinterpret_cast<const char *>(&address.s.ip6.sin6_addr), 6};
}

/// See Route::one_site.
bool is_one_site(const NiceAddress &local, const NiceAddress &remote) {
    const bool same_prefix = nice_address_ip_version(&local) == 6 &&
                             nice_address_ip_version(&remote) == 6 &&
                             network_of(local) == network_of(remote);
    return same_prefix ||
           (nice_address_is_private(&local) != FALSE && nice_address_is_private(&remote) != FALSE);
}

} // namespace

AgentPair::AgentPair(EventLoop &loop, CarrierListener &listener, LoopbackRelayProxy &relay_proxy,
                     Settings settings)
    : loop_(loop), listener_(listener), relay_proxy_(relay_proxy), settings_(settings) {
    set_agent_reading(true);
}

AgentPair::~AgentPair() {
    detached_.reset();
    relay_proxy_.release();
    // libnice receives a server's answer only while it has a callback and the stream.
    nice_agent_attach_recv(
        settings_.agent, settings_.stream, kIceComponent, loop_.context(),
        [](NiceAgent *, guint, guint, guint, gchar *, gpointer) {}, nullptr);
    if (idle_context_ != nullptr) {
        g_main_context_unref(idle_context_);
    }
}

void AgentPair::prepare_sockets() {
    each_socket(settings_.agent, settings_.stream, [this](GSocket *each) {
        buffers_ = prepare_socket(g_socket_get_fd(each), settings_.socket_buffers);
    });
}

void AgentPair::note_relay(const std::string &address) {
    NiceAddress relay;
    if (nice_address_set_from_string(&relay, address.c_str()) != FALSE) {
        relays_.push_back(relay);
    }
}

void AgentPair::set_remote_done() {
    remote_done_ = true;
    listener_.on_carrier_changed(*this);
}

void AgentPair::on_pair() {
    connected_ = true;
    listener_.on_carrier_changed(*this);
}

void AgentPair::on_no_pair() {
    failed_ = true;
    listener_.on_carrier_changed(*this);
}

std::optional<AgentPair::Selected> AgentPair::selected() const {
    NiceCandidate *local = nullptr;
    NiceCandidate *remote = nullptr;
    if (nice_agent_get_selected_pair(settings_.agent, settings_.stream, kIceComponent, &local,
                                     &remote) == FALSE) {
        return std::nullopt;
    }
    return Selected{.local = *local, .remote = *remote};
}

/// A check through a relay may arrive before its candidate; it comes from the server's address.
bool AgentPair::relayed(const Selected &pair) const {
    const bool by_relay = pair.remote.type == NICE_CANDIDATE_TYPE_PEER_REFLEXIVE &&
                          std::ranges::any_of(relays_, [&](const NiceAddress &each) {
                              return nice_address_equal_no_port(&each, &pair.remote.addr) != FALSE;
                          });
    return by_relay || theirs_relayed_ || pair.local.type == NICE_CANDIDATE_TYPE_RELAYED ||
           pair.remote.type == NICE_CANDIDATE_TYPE_RELAYED;
}

/// A peer-reflexive address may be a relay's that the other side hasn't named yet.
bool AgentPair::surely_direct(const Selected &pair) const {
    return (remote_done_ || pair.remote.type != NICE_CANDIDATE_TYPE_PEER_REFLEXIVE) &&
           !relayed(pair);
}

CarrierKind AgentPair::kind() const {
    const auto pair = selected();
    return pair && relayed(*pair) ? CarrierKind::Relay : CarrierKind::DirectUdp;
}

CarrierState AgentPair::state() const {
    if (connected_) {
        const auto pair = selected();
        if (pair && (settings_.relay_use != RelayUse::Never || surely_direct(*pair))) {
            return CarrierState::Found;
        }
    }
    return failed_ ? CarrierState::Over : CarrierState::Searching;
}

Route AgentPair::route() const {
    Route route;
    const auto pair = selected();
    if (!pair) {
        return route;
    }
    const auto &[local, remote] = *pair;
    route.ipv6 = nice_address_ip_version(&remote.addr) == 6;
    route.remote = address_text(remote.addr);
    route.buffers = buffers_;
    if (relayed(*pair)) {
        route.kind = Route::Kind::Relay;
        route.relay = address_text(remote.addr);
        if (local.type == NICE_CANDIDATE_TYPE_RELAYED) {
            NiceAddress server;
            nice_candidate_relay_address(&local, &server);
            route.relay = address_text(server);
            if (const auto *behind = server_of(local)) {
                route.tcp = true;
                route.relay = address_text(behind->host, behind->port);
            }
        }
        return route;
    }
    if (is_on_link(*address_of(remote.addr).get())) {
        route.kind = Route::Kind::Local;
    } else {
        // Behind a NAT, the local candidate has the public address, which tells homes apart.
        route.networks = network_of(local.addr) + network_of(remote.addr);
        route.one_site = is_one_site(local.addr, remote.addr);
    }
    return route;
}

std::span<const std::uint16_t> AgentPair::datagram_bytes() const {
    const auto present = route();
    if (present.kind == Route::Kind::Relay) {
        return kRelayedDatagramBytes;
    }
    if (present.may_be_near()) {
        return kLocalDatagramBytes;
    }
    return kDirectDatagramBytes;
}

Address AgentPair::local() const {
    const auto pair = selected();
    return !pair || (detached_ && detached_->has_fresh_address())
               ? Address{}
               : address_of(pair->local.base_addr);
}

Address AgentPair::remote() const {
    const auto pair = selected();
    return pair ? address_of(pair->remote.addr) : Address{};
}

const TurnServer *AgentPair::server_of(const NiceCandidate &local) const {
    // TURN over TCP has its own socket, which libnice lists without a port.
    if (local.type != NICE_CANDIDATE_TYPE_RELAYED || nice_address_get_port(&local.base_addr) != 0) {
        return nullptr;
    }
    NiceAddress address;
    nice_candidate_relay_address(&local, &address);
    return relay_proxy_.server_at(static_cast<std::uint16_t>(nice_address_get_port(&address)));
}

void AgentPair::settle(bool used) {
    if (!used || detached_) {
        return;
    }
    const auto pair = selected();
    if (!pair) {
        return;
    }
    const bool relayed = pair->local.type == NICE_CANDIDATE_TYPE_RELAYED;
    NiceAddress to = pair->remote.addr;
    SocketPointer socket;
    if (relayed) {
        nice_candidate_relay_address(&pair->local, &to);
        if (server_of(pair->local) != nullptr) {
            relay_proxy_.take(static_cast<std::uint16_t>(nice_address_get_port(&to)), *this);
            return;
        }
        socket = socket_at(settings_.agent, settings_.stream, pair->local.base_addr);
    } else {
        socket.reset(
            nice_agent_get_selected_socket(settings_.agent, settings_.stream, kIceComponent));
    }
    if (socket) {
        DatagramListener &hears = *this;
        detached_.emplace(loop_, hears,
                          DetachedSockets::Settings{.agent = settings_.agent,
                                                    .stream = settings_.stream,
                                                    .socket = std::move(socket),
                                                    .to = to,
                                                    .relayed = relayed,
                                                    .follows = !relayed && !settings_.controlling,
                                                    .buffer_bytes = settings_.socket_buffers,
                                                    .set_agent_reading = [this](bool reads) {
                                                        set_agent_reading(reads);
                                                    }});
    }
}

void AgentPair::suspect() {
    if (detached_) {
        detached_->suspect();
    }
}

void AgentPair::confirm() {
    if (detached_) {
        detached_->confirm();
    }
}

DatagramPath::Sent AgentPair::send(ByteView bytes, std::size_t segment_bytes,
                                   const PathId &path_id) {
    if (auto *tunnel = relay_proxy_.carrier()) {
        return tunnel->send(bytes, segment_bytes);
    }
    return detached_ ? detached_->send(bytes, segment_bytes, path_id)
                     : send_through(settings_.agent, settings_.stream, bytes, segment_bytes);
}

void AgentPair::set_agent_reading(bool reads) {
    if (reads) {
        nice_agent_attach_recv(
            settings_.agent, settings_.stream, kIceComponent, loop_.context(),
            [](NiceAgent *, guint, guint, guint size, gchar *bytes, gpointer user) {
                const ByteView datagram{reinterpret_cast<const std::uint8_t *>(bytes), size};
                if (is_quic(datagram)) {
                    static_cast<AgentPair *>(user)->on_datagrams(datagram, size, {});
                }
            },
            this);
        return;
    }
    if (idle_context_ == nullptr) {
        idle_context_ = g_main_context_new();
    }
    nice_agent_attach_recv(settings_.agent, settings_.stream, kIceComponent, idle_context_, nullptr,
                           nullptr);
}

void AgentPair::on_datagrams(ByteView bytes, std::size_t segment_bytes, const Address &from) {
    listener_.on_carrier_datagrams(*this, bytes, segment_bytes, from);
}

} // namespace thru
