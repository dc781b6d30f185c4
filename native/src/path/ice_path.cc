#include "path/ice_path.h"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "loop/glib.h"

#include <nice/agent.h>
#include <nice/interfaces.h>

#include "net/local_addresses.h"
#include "net/on_link.h"
#include "path/address_text.h"
#include "path/agent_closing.h"
#include "path/agent_sockets.h"
#include "path/candidate_line.h"
#include "path/ice_path_state.h"

namespace thru {

namespace {

/// IPv4 and IPv6 over Ethernet; then PPPoE and the usual tunnels, where that is too much.
constexpr std::array<std::uint16_t, 4> kDirectDatagramBytes{1452, 1404, 1372, 1280};
/// Jumbo frames of 9,000 bytes, and of 4,088 for cards that have no larger ones, save a third of
/// the CPU; a network without them refuses or drops a few probes. TCP beside UDP takes all.
constexpr std::array<std::uint16_t, 6> kLocalDatagramBytes{1452, 8952, 4040, 1404, 1372, 1280};
/// What a channel's header leaves of IPv6 over Ethernet; then room for a TURN Send indication,
/// which adds 36 bytes (RFC 8656 section 10).
constexpr std::array<std::uint16_t, 3> kRelayedDatagramBytes{1448, 1400, 1280};
/// A connection of TCP takes any: large ones save CPU.
constexpr std::array<std::uint16_t, 2> kStreamDatagramBytes{1452, 8952};
/// From one connectivity check to the next: the least that RFC 8445 allows (section 14.2). A pair
/// takes about three turns of it to be nominated, and each pair that leads nowhere one more.
constexpr guint kPacingMilliseconds = 5;
/// Of the loop, until libnice asks the STUN server: in one it begins to look the server up, and in
/// the next it has the address, which is a literal one.
constexpr int kStunTurns = 2;

/// This computer has it still.
bool is_own(const Address &address) {
    return !address.empty() &&
           std::ranges::binary_search(local_addresses(), address_key(*address.get()));
}

} // namespace

IcePath::IcePath(std::unique_ptr<State> state) : state_(std::move(state)) {}

IcePath::~IcePath() {
    auto &state = *state_;
    if (state.agent) {
        state.taken.reset();
        state.tcp.reset();
        state.detour.reset();
        g_signal_handlers_disconnect_by_data(state.agent.get(), &state);
        state.forget_credentials();
        // libnice hears of a server's answer only while it has a callback, and the stream.
        nice_agent_attach_recv(
            state.agent.get(), state.stream, kIceComponent, state.loop.context(),
            [](NiceAgent *, guint, guint, guint, gchar *, gpointer) {}, nullptr);
        if (state.gathering) {
            // Else what a server allocates now would stay allocated.
            nice_agent_remove_stream(state.agent.get(), state.stream);
        }
        state.doors->leave();
        close_agent(state.loop, state.agent.release(), std::move(state.doors));
    }
    if (state.parked != nullptr) {
        g_main_context_unref(state.parked);
    }
}

Result<std::unique_ptr<IcePath>> IcePath::create(EventLoop &loop, const IceServers &servers,
                                                 bool controlling, IceListener &listener,
                                                 int socket_buffers) {
    auto state = std::make_unique<State>(loop, listener);
    state->socket_buffers = socket_buffers;
    state->controlling = controlling;
    state->relay_use = servers.relay_use;
    const bool hides = servers.relay_use == RelayUse::Only;
    // Nomination is aggressive: the first pair that works is used at once. Regular nomination
    // waits for a second one, or until each of the others has failed.
    state->agent.reset(nice_agent_new_full(loop.context(), NICE_COMPATIBILITY_RFC5245,
                                           NICE_AGENT_OPTION_ICE_TRICKLE));
    auto *agent = state->agent.get();
    g_object_set(agent, "controlling-mode", static_cast<gboolean>(controlling), "ice-tcp", FALSE,
                 "upnp", FALSE, "force-relay", static_cast<gboolean>(hides), "stun-pacing-timer",
                 kPacingMilliseconds, nullptr);
    if (!servers.stun.empty() && !hides) {
        g_object_set(agent, "stun-server", servers.stun.front().host.c_str(), "stun-server-port",
                     static_cast<guint>(servers.stun.front().port), nullptr);
    }
    state->stream = nice_agent_add_stream(agent, 1);
    if (state->stream == 0) {
        return fail(ErrorCode::Internal, 0, "ICE stream could not be made");
    }
    state->doors = std::make_unique<RelayDoors>(loop);
    if (!hides) {
        state->tcp = std::make_unique<DirectTcp>(loop, listener, *state, controlling);
    }
    state->late_relays = servers.turn;
    if (servers.stun.empty() || hides) {
        state->add_late_relays();
    }
    auto *raw = state.get();
    g_signal_connect(agent, "new-candidate-full",
                     G_CALLBACK(+[](NiceAgent *, NiceCandidate *candidate, gpointer user) {
                         static_cast<State *>(user)->on_candidate(candidate);
                     }),
                     raw);
    g_signal_connect(agent, "candidate-gathering-done",
                     G_CALLBACK(+[](NiceAgent *, guint, gpointer user) {
                         auto &path = *static_cast<State *>(user);
                         if (path.add_late_relays()) {
                             return;
                         }
                         path.gathering = false;
                         path.doors->close();
                         path.listener.on_local_candidates_done();
                     }),
                     raw);
    g_signal_connect(agent, "component-state-changed",
                     G_CALLBACK(+[](NiceAgent *, guint, guint, guint changed, gpointer user) {
                         static_cast<State *>(user)->on_component_state(changed);
                     }),
                     raw);
    g_signal_connect(
        agent, "new-selected-pair-full",
        G_CALLBACK(+[](NiceAgent *, guint, guint, NiceCandidate *, NiceCandidate *, gpointer user) {
            auto &path = *static_cast<State *>(user);
            // The first one is told again as a state, when it can be written to.
            if (path.connected) {
                path.on_pair();
            }
        }),
        raw);
    state->let_agent_read(true);
    return std::unique_ptr<IcePath>(new IcePath(std::move(state)));
}

Result<> IcePath::gather() {
    // libnice leaves the loopback out; without any network it is all there is, and two windows on
    // one computer still reach each other.
    auto *addresses = nice_interfaces_get_local_ips(FALSE);
    if (addresses == nullptr) {
        NiceAddress loopback;
        nice_address_init(&loopback);
        nice_address_set_from_string(&loopback, "127.0.0.1");
        nice_agent_add_local_address(state_->agent.get(), &loopback);
    }
    std::vector<std::string> hosts;
    for (auto *each = addresses; each != nullptr; each = each->next) {
        std::string host(static_cast<const gchar *>(each->data));
        if (is_known_elsewhere(host)) {
            hosts.push_back(std::move(host));
        }
    }
    g_list_free_full(addresses, g_free);
    state_->gathering = true;
    if (nice_agent_gather_candidates(state_->agent.get(), state_->stream) == FALSE) {
        return fail(ErrorCode::NoRoute, 0, "no network interface can be used");
    }
    state_->prepare_sockets();
    state_->add_relays_after(kStunTurns);
    if (state_->tcp) {
        state_->tcp->listen(hosts);
    }
    return {};
}

Result<> IcePath::set_credentials(const IceCredentials &own, const IceCredentials &peer) {
    auto *agent = state_->agent.get();
    // Those that libnice drew for itself are known to nobody.
    if (nice_agent_set_local_credentials(agent, state_->stream, own.ufrag.c_str(),
                                         own.pwd.c_str()) == FALSE ||
        nice_agent_set_remote_credentials(agent, state_->stream, peer.ufrag.c_str(),
                                          peer.pwd.c_str()) == FALSE) {
        return fail(ErrorCode::Internal, 0, "ICE credentials were refused");
    }
    if (state_->tcp) {
        state_->tcp->set_credentials({.own = own, .peer = peer});
    }
    return {};
}

void IcePath::add_remote_candidate(std::string_view line) {
    if (is_of_tcp(line)) {
        if (state_->tcp) {
            state_->tcp->add_remote_candidate(line);
        }
        return;
    }
    if (state_->relay_use == RelayUse::Never && candidate_field(line, 7) == "relay") {
        state_->note_relay(std::string(candidate_field(line, 4)));
        return;
    }
    const auto sdp = "a=" + std::string(line);
    auto *candidate =
        nice_agent_parse_remote_candidate_sdp(state_->agent.get(), state_->stream, sdp.c_str());
    if (candidate == nullptr) {
        return;
    }
    GSList *list = g_slist_append(nullptr, candidate);
    nice_agent_set_remote_candidates(state_->agent.get(), state_->stream, kIceComponent, list);
    g_slist_free_full(list, reinterpret_cast<GDestroyNotify>(&nice_candidate_free));
    state_->reconsider();
}

bool IcePath::add_relay(const TurnServer &server) { return state_->add_relay(server); }

void IcePath::remote_candidates_done() {
    state_->remote_done = true;
    nice_agent_peer_candidate_gathering_done(state_->agent.get(), state_->stream);
    state_->reconsider();
}

void IcePath::refuse_relays() {
    state_->relay_use = RelayUse::Never;
    state_->late_relays.clear();
    nice_agent_forget_relays(state_->agent.get(), state_->stream, kIceComponent);
}

bool IcePath::may_detour() const { return state_->detour && state_->detour->pending(); }

std::optional<Error> IcePath::relay_failure() const {
    const auto detour = state_->detour ? state_->detour->failure() : std::nullopt;
    if (detour && detour->code == ErrorCode::RelayQuota) {
        return detour;
    }
    auto failure = state_->doors->failure();
    return failure ? failure : detour;
}

bool IcePath::ready() const { return state_->ready; }

Route IcePath::State::tcp_route() const {
    NiceAddress remote;
    const auto address = tcp->chosen()->remote();
    nice_address_set_from_sockaddr(&remote, address.get());
    return {.kind = is_on_link(*address.get()) ? Route::Kind::Local : Route::Kind::Direct,
            .ipv6 = nice_address_ip_version(&remote) == 6,
            .tcp = true,
            .remote = address_text(remote)};
}

Route IcePath::State::detour_route() const {
    NiceAddress remote;
    const auto address = detour->remote();
    nice_address_set_from_sockaddr(&remote, address.get());
    const auto &server = detour->server();
    return {.kind = Route::Kind::Relay,
            .ipv6 = nice_address_ip_version(&remote) == 6,
            .tcp = true,
            .detour = true,
            .remote = address_text(remote),
            .relay = address_text(server.name, server.port)};
}

Route IcePath::route() const {
    if (carries_by_tcp()) {
        return state_->tcp_route();
    }
    if (state_->chosen_detour() != nullptr) {
        return state_->detour_route();
    }
    NiceCandidate *local = nullptr;
    NiceCandidate *remote = nullptr;
    Route route;
    if (nice_agent_get_selected_pair(state_->agent.get(), state_->stream, kIceComponent, &local,
                                     &remote) == FALSE) {
        return route;
    }
    route.ipv6 = nice_address_ip_version(&remote->addr) == 6;
    route.remote = address_text(remote->addr);
    route.buffers = state_->buffers;
    if (local->type == NICE_CANDIDATE_TYPE_RELAYED || remote->type == NICE_CANDIDATE_TYPE_RELAYED) {
        route.kind = Route::Kind::Relay;
        route.relay = address_text(remote->addr);
        if (local->type == NICE_CANDIDATE_TYPE_RELAYED) {
            NiceAddress server;
            nice_candidate_relay_address(local, &server);
            route.relay = address_text(server);
            if (const auto *behind = state_->server_of(*local)) {
                route.tcp = true;
                route.relay = address_text(behind->host, behind->port);
            }
        }
        return route;
    }
    sockaddr_storage address{};
    nice_address_copy_to_sockaddr(&remote->addr, reinterpret_cast<sockaddr *>(&address));
    route.kind = is_on_link(reinterpret_cast<sockaddr &>(address)) ? Route::Kind::Local
                                                                   : Route::Kind::Direct;
    return route;
}

bool IcePath::has_local_address() const {
    if (state_->taken && state_->taken->has_fresh_address()) {
        return true;
    }
    const auto *tcp = state_->chosen_tcp();
    const auto *detour = state_->chosen_detour();
    if (tcp != nullptr || detour != nullptr) {
        return is_own(tcp != nullptr ? tcp->local() : detour->local());
    }
    NiceCandidate *local = nullptr;
    NiceCandidate *remote = nullptr;
    if (nice_agent_get_selected_pair(state_->agent.get(), state_->stream, kIceComponent, &local,
                                     &remote) == FALSE) {
        return false;
    }
    sockaddr_storage base{};
    nice_address_copy_to_sockaddr(&local->base_addr, reinterpret_cast<sockaddr *>(&base));
    const auto key = address_key(reinterpret_cast<const sockaddr &>(base));
    return std::ranges::binary_search(local_addresses(), key);
}

void IcePath::doubt() {
    if (state_->taken) {
        state_->taken->doubt();
    }
}

void IcePath::settle() {
    if (state_->taken) {
        state_->taken->settle();
    }
}

std::span<const std::uint16_t> IcePath::datagram_bytes() const {
    if (state_->chosen_tcp() != nullptr || state_->chosen_detour() != nullptr) {
        return kStreamDatagramBytes;
    }
    switch (route().kind) {
    case Route::Kind::Relay:
        return kRelayedDatagramBytes;
    case Route::Kind::Local:
        return kLocalDatagramBytes;
    case Route::Kind::Direct:
        break;
    }
    return kDirectDatagramBytes;
}

void IcePath::take_socket(Beside beside) {
    auto &state = *state_;
    if (state.tcp && !state.tcp_is_beside &&
        (beside == Beside::Nothing || !state.let_tcp_accompany())) {
        state.tcp->settle();
    }
    if (state.detour) {
        state.detour->settle();
    }
    if (state.chosen_tcp() != nullptr || state.chosen_detour() != nullptr) {
        return;
    }
    NiceCandidate *local = nullptr;
    NiceCandidate *remote = nullptr;
    if (state.taken || nice_agent_get_selected_pair(state.agent.get(), state.stream, kIceComponent,
                                                    &local, &remote) == FALSE) {
        return;
    }
    const bool relayed = local->type == NICE_CANDIDATE_TYPE_RELAYED;
    NiceAddress to = remote->addr;
    SocketPointer socket;
    if (relayed) {
        nice_candidate_relay_address(local, &to);
        if (state.server_of(*local) != nullptr) {
            state.doors->take(static_cast<std::uint16_t>(nice_address_get_port(&to)),
                              state.listener);
            return;
        }
        socket = socket_at(state.agent.get(), state.stream, local->base_addr);
    } else {
        socket.reset(
            nice_agent_get_selected_socket(state.agent.get(), state.stream, kIceComponent));
    }
    if (socket) {
        auto *raw = &state;
        state.taken.emplace(state.loop, state.udp,
                            TakenSockets::Settings{.agent = state.agent.get(),
                                                   .stream = state.stream,
                                                   .socket = std::move(socket),
                                                   .to = to,
                                                   .relayed = relayed,
                                                   .follows = !relayed && !state.controlling,
                                                   .buffer_bytes = state.socket_buffers,
                                                   .let_agent_read = [raw](bool reads) {
                                                       raw->let_agent_read(reads);
                                                   }});
    }
}

bool IcePath::leave_beside() {
    const bool carried = state_->tcp_is_beside && carries_by_tcp();
    if (state_->tcp_is_beside) {
        state_->tcp->part();
    }
    return carried;
}

void IcePath::leave_beside_if_gone() {
    if (state_->tcp_is_beside && carries_by_tcp() && !is_own(state_->tcp->chosen()->local())) {
        state_->tcp->part();
    }
}

bool IcePath::carries_by_tcp() const { return state_->tcp && state_->tcp->chosen() != nullptr; }

DatagramPath::Sent IcePath::send(ByteView bytes, std::size_t segment_bytes, const Way &way) {
    auto &state = *state_;
    // What goes to another address than the pair's asks whether the other side is there.
    if (carries_by_tcp() && (!state.tcp_is_beside || way.remote.empty())) {
        return state.tcp->send(bytes, segment_bytes);
    }
    return send_by_pair(bytes, segment_bytes, way);
}

DatagramPath::Sent IcePath::send_last(ByteView datagram, const Way &way) {
    if (carries_by_tcp() && state_->tcp_is_beside) {
        state_->tcp->send(datagram, datagram.size());
        return send_by_pair(datagram, datagram.size(), way);
    }
    return send(datagram, datagram.size(), way);
}

DatagramPath::Sent IcePath::send_by_pair(ByteView bytes, std::size_t segment_bytes,
                                         const Way &way) {
    auto &state = *state_;
    if (auto *detour = state.chosen_detour()) {
        return detour->send(bytes, segment_bytes);
    }
    if (auto *carrier = state.doors->carrier()) {
        return carrier->send(bytes, segment_bytes);
    }
    return state.taken ? state.taken->send(bytes, segment_bytes, way)
                       : send_through(state.agent.get(), state.stream, bytes, segment_bytes);
}

} // namespace thru
