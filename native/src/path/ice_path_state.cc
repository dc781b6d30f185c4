// What the agent tells, and what follows from it.
#include "path/ice_path_state.h"

#include <algorithm>
#include <string>
#include <utility>

#include "net/on_link.h"
#include "path/candidate_line.h"
#include "path/first_byte.h"

namespace thru {

namespace {

/// Without any check under way, until libnice stops to look every kPacingMilliseconds what to check
/// next: 5 s unless set, which a pair that is nominated needs no more.
constexpr guint kIdleMilliseconds = 100;
/// How long a direct pair may still be found after a relayed one: a relay that both have asked for
/// answers about a round trip later than the other computer, if that can be reached.
constexpr guint kRelayPatienceMilliseconds = 300;
/// And after a way over TCP: a check that was lost is repeated after half a second.
constexpr guint kTcpPatienceMilliseconds = 1000;

/// RFC 8839 section 5.4.
constexpr std::size_t kMaxPassword = 256;

struct TextDeleter {
    void operator()(gchar *text) const { g_free(text); }
};
using Text = std::unique_ptr<gchar, TextDeleter>;

Address address_of(const NiceAddress &address) {
    sockaddr_storage native{};
    nice_address_copy_to_sockaddr(&address, reinterpret_cast<sockaddr *>(&native));
    return Address(reinterpret_cast<const sockaddr &>(native));
}

} // namespace

void IcePath::State::on_candidate(NiceCandidate *candidate) {
    const Text sdp(nice_agent_generate_local_candidate_sdp(agent.get(), candidate));
    std::string_view line = sdp.get();
    constexpr std::string_view kAttribute = "a=";
    if (line.starts_with(kAttribute)) {
        line.remove_prefix(kAttribute.size());
    }
    if (relay_use == RelayUse::Only) {
        listener.on_local_candidate(without_related_address(line));
    } else {
        listener.on_local_candidate(line);
    }
}

void IcePath::State::on_component_state(guint component_state) {
    // Connected means that a pair works and is used; a better one may take its place. Ready comes
    // when all of higher priority have failed: two seconds later wherever one leads nowhere, as
    // between the private addresses of two homes.
    if (component_state == NICE_COMPONENT_STATE_CONNECTED ||
        component_state == NICE_COMPONENT_STATE_READY) {
        connected = true;
        on_pair();
    } else if (component_state == NICE_COMPONENT_STATE_FAILED && !ready && !failed) {
        failed = true;
        report_failure();
    }
}

/// Candidates of the other side that still come start libnice once more. It waits for no others.
void IcePath::State::stop_looking() {
    nice_agent_peer_candidate_gathering_done(agent.get(), stream);
    g_object_set(agent.get(), "idle-timeout", kIdleMilliseconds, nullptr);
}

/// A pair was chosen, or a better one in its place. A relayed one waits for a direct one, whose
/// candidates may still be on their way.
void IcePath::State::on_pair() {
    switch (relay_use) {
    case RelayUse::Only:
        become_ready();
        break;
    case RelayUse::Never:
        if (surely_direct()) {
            become_ready();
        }
        break;
    case RelayUse::Automatic:
        if (relayed()) {
            wait_for_direct(kRelayPatienceMilliseconds);
        } else {
            become_ready();
        }
    }
}

/// More is known of the other side's candidates than when a pair was chosen.
void IcePath::State::reconsider() {
    if (relay_use == RelayUse::Never && connected && !ready) {
        on_pair();
    }
}

void IcePath::State::note_relay(const std::string &address) {
    NiceAddress relay;
    if (nice_address_set_from_string(&relay, address.c_str()) != FALSE) {
        relays.push_back(relay);
    }
}

/// The receiver chooses: datagrams of UDP go before TCP, which goes before a relay.
void IcePath::State::on_tcp_found() {
    if (!controlling && !ready) {
        wait_for_direct(kTcpPatienceMilliseconds);
    }
}

void IcePath::State::wait_for_direct(guint milliseconds) {
    if (!patience.running() && !ready) {
        patience.start(loop, milliseconds, [this] { end_patience(); });
    }
}

void IcePath::State::end_patience() {
    if (!ready && !controlling && tcp && tcp->found()) {
        tcp->choose();
    }
    if (chosen_tcp() != nullptr || has_pair()) {
        become_ready();
    } else {
        choose_detour();
    }
}

/// The receiver chooses it when there is nothing else.
void IcePath::State::choose_detour() {
    if (!ready && !controlling && !patience.running() && detour && detour->found()) {
        detour->choose();
        become_ready();
    }
}

void IcePath::State::on_tcp_chosen() {
    if (detour) {
        detour->leave();
    }
    become_ready();
}

void IcePath::State::on_detour_found() { choose_detour(); }

void IcePath::State::on_detour_chosen() {
    if (tcp) {
        tcp->leave();
    }
    become_ready();
}

/// Of one that is used, only what a person has to know; QUIC notices the rest.
void IcePath::State::on_detour_failed() {
    if (!ready) {
        report_failure();
    } else if (chosen_detour() != nullptr && detour->failure()->code == ErrorCode::RelayQuota) {
        listener.on_ice_failed();
    }
}

void IcePath::State::report_failure() {
    if (!failed || ready || (tcp && (tcp->calls() || tcp->found()))) {
        return;
    }
    if (detour && detour->pending()) {
        detour->begin();
    } else {
        listener.on_ice_failed();
    }
}

/// One that may be used.
bool IcePath::State::has_pair() const {
    NiceCandidate *local = nullptr;
    NiceCandidate *remote = nullptr;
    return nice_agent_get_selected_pair(agent.get(), stream, kIceComponent, &local, &remote) !=
               FALSE &&
           (relay_use != RelayUse::Never || surely_direct());
}

void IcePath::State::become_ready() {
    if (!ready) {
        ready = true;
        stop_looking();
        // The sender follows where the receiver chooses, until both are connected.
        if (detour && !controlling) {
            detour->settle();
        }
        listener.on_ice_ready();
    }
}

/// Of the pair that is chosen at present. A check by way of a relay may come before the candidate
/// that says what it is, and comes from the address of the server then.
bool IcePath::State::relayed() const {
    NiceCandidate *local = nullptr;
    NiceCandidate *remote = nullptr;
    if (nice_agent_get_selected_pair(agent.get(), stream, kIceComponent, &local, &remote) ==
        FALSE) {
        return false;
    }
    const bool by_relay = remote->type == NICE_CANDIDATE_TYPE_PEER_REFLEXIVE &&
                          std::ranges::any_of(relays, [&](const NiceAddress &each) {
                              return nice_address_equal_no_port(&each, &remote->addr) != FALSE;
                          });
    return by_relay || local->type == NICE_CANDIDATE_TYPE_RELAYED ||
           remote->type == NICE_CANDIDATE_TYPE_RELAYED;
}

/// Of the pair that is chosen. An address that only a check has shown may be that of a relay, of
/// which the other side has yet to tell.
bool IcePath::State::surely_direct() const {
    NiceCandidate *local = nullptr;
    NiceCandidate *remote = nullptr;
    return nice_agent_get_selected_pair(agent.get(), stream, kIceComponent, &local, &remote) !=
               FALSE &&
           (remote_done || remote->type != NICE_CANDIDATE_TYPE_PEER_REFLEXIVE) && !relayed();
}

bool IcePath::State::let_tcp_accompany() {
    NiceCandidate *local = nullptr;
    NiceCandidate *remote = nullptr;
    const bool chose_tcp_alone = !controlling && tcp->chosen() != nullptr;
    if (chose_tcp_alone || relayed() ||
        nice_agent_get_selected_pair(agent.get(), stream, kIceComponent, &local, &remote) ==
            FALSE) {
        return false;
    }
    const auto to = address_of(remote->addr);
    tcp_is_beside = is_on_link(*to.get());
    if (tcp_is_beside) {
        tcp->accompany(address_of(local->base_addr));
    }
    return tcp_is_beside;
}

void IcePath::State::Udp::on_datagrams(ByteView bytes, std::size_t segment_bytes,
                                       const Address &from) {
    // Strangers write from elsewhere.
    if (state_.tcp_is_beside && from.empty()) {
        state_.tcp->on_udp(state_.loop.now());
    }
    state_.listener.on_datagrams(bytes, segment_bytes, from);
}

const TurnServer *IcePath::State::server_of(const NiceCandidate &local) const {
    // TURN over TCP has a socket of its own, which libnice lists without a port.
    if (local.type != NICE_CANDIDATE_TYPE_RELAYED || nice_address_get_port(&local.base_addr) != 0) {
        return nullptr;
    }
    NiceAddress door;
    nice_candidate_relay_address(&local, &door);
    return doors->server_at(static_cast<std::uint16_t>(nice_address_get_port(&door)));
}

/// Before the handshake: a datagram of MTU discovery that the system splits would arrive on a path
/// that does not take it.
void IcePath::State::prepare_sockets() {
    each_socket(agent.get(), stream, [this](GSocket *each) {
        buffers = prepare_socket(g_socket_get_fd(each), socket_buffers);
    });
}

void IcePath::State::let_agent_read(bool reads) {
    if (reads) {
        nice_agent_attach_recv(
            agent.get(), stream, kIceComponent, loop.context(),
            [](NiceAgent *, guint, guint, guint size, gchar *bytes, gpointer user) {
                const ByteView datagram{reinterpret_cast<const std::uint8_t *>(bytes), size};
                if (is_quic(datagram)) {
                    static_cast<State *>(user)->on_datagram(datagram);
                }
            },
            this);
        return;
    }
    if (parked == nullptr) {
        parked = g_main_context_new();
    }
    nice_agent_attach_recv(agent.get(), stream, kIceComponent, parked, nullptr, nullptr);
}

void IcePath::State::on_datagram(ByteView datagram) {
    if (tcp) {
        tcp->leave();
    }
    if (detour) {
        detour->leave();
    }
    listener.on_datagrams(datagram, datagram.size(), {});
}

bool IcePath::State::add_relay(const TurnServer &server) {
    if (relay_use == RelayUse::Never) {
        return false;
    }
    if (!server.path.empty()) {
        if (!detour && !ready) {
            detour = std::make_unique<Detour>(loop, listener, *this, server, controlling);
        }
        return false;
    }
    RelayDoors::Place place{.host = server.host, .port = server.port};
    if (server.tcp) {
        const auto opened = doors->open(server);
        if (!opened) {
            return false;
        }
        place = *opened;
    }
    note_relay(server.host);
    gathering = true;
    nice_agent_set_relay_info(agent.get(), stream, kIceComponent, place.host.c_str(), place.port,
                              server.user.c_str(), server.password.c_str(),
                              server.tcp ? NICE_RELAY_TYPE_TURN_TCP : NICE_RELAY_TYPE_TURN_UDP);
    return true;
}

void IcePath::State::add_relays_after(int turns) {
    relays_turn.start(loop, 0, [this, turns] {
        if (turns > 0) {
            add_relays_after(turns - 1);
        } else {
            add_late_relays();
        }
    });
}

bool IcePath::State::add_late_relays() {
    relays_turn.stop();
    bool added = false;
    for (const auto &server : std::exchange(late_relays, {})) {
        added = add_relay(server) || added;
    }
    return added;
}

/// libnice does not wipe what it had. As long as they can be, the zeros leave nothing of a
/// password.
void IcePath::State::forget_credentials() {
    static const std::string kZeros(kMaxPassword, '0');
    nice_agent_set_local_credentials(agent.get(), stream, kZeros.c_str(), kZeros.c_str());
    nice_agent_set_remote_credentials(agent.get(), stream, kZeros.c_str(), kZeros.c_str());
}

} // namespace thru
