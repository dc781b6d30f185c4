#include "path/ice_path.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "loop/glib.h"

#include <nice/agent.h>
#include <nice/interfaces.h>

#include "loop/timeout.h"
#include "net/local_addresses.h"
#include "path/agent_closing.h"
#include "path/agent_pair.h"
#include "path/agent_sockets.h"
#include "path/candidate_line.h"
#include "path/direct_tcp.h"
#include "path/relay/loopback_relay_proxy.h"
#include "path/server_relay.h"

namespace thru {

namespace {

/// Time between connectivity checks: the minimum of RFC 8445 (section 14.2). Nominating a pair
/// takes about three intervals, plus one for each dead pair.
constexpr guint kPacingMilliseconds = 5;
/// Time without a pending check until libnice stops polling every kPacingMilliseconds. The default
/// is 5 s, which a nominated pair doesn't need.
constexpr guint kIdleMilliseconds = 100;
/// Turns of the loop until libnice queries the STUN server. It starts to resolve the address, which
/// is literal, in one turn and has it in the next.
constexpr int kStunTurns = 2;
/// RFC 8839 section 5.4.
constexpr std::size_t kMaxPassword = 256;

struct TextDeleter {
    void operator()(gchar *text) const { g_free(text); }
};
using Text = std::unique_ptr<gchar, TextDeleter>;

} // namespace

struct IcePath::State final : CarrierSet::Owner {
    State(EventLoop &owner_loop, IceListener &owner, bool controls)
        : loop(owner_loop), listener(owner), carriers(owner_loop, *this, owner, !controls) {}
    State(const State &) = delete;
    State &operator=(const State &) = delete;

    EventLoop &loop;
    IceListener &listener;
    RelayUse relay_use = RelayUse::Automatic;
    std::unique_ptr<NiceAgent, ObjectDeleter> agent;
    guint stream = 0;
    /// Candidates are being gathered; relays may be allocated.
    bool gathering = false;
    /// Relays named before gathering. While libnice queries an older relay over UDP, it drops a
    /// STUN server's answer: it reads all answers at a socket by the rules of its first request.
    std::vector<TurnServer> late_relays;
    Timeout relays_turn;
    /// Lead to relays over TCP, and stay until the agent has ended.
    std::unique_ptr<LoopbackRelayProxy> relay_proxy;
    CarrierSet carriers;
    /// Owned by the set.
    AgentPair *pair = nullptr;
    /// Null if only relays are wanted.
    DirectTcp *tcp = nullptr;
    std::vector<std::string> hosts;
    bool has_server_relay = false;
    bool has_remote_candidate = false;

    void connect_signals();
    void on_candidate(NiceCandidate *candidate);
    void on_component_state(guint component_state);
    void on_gathered();
    bool add_relay(const TurnServer &server);
    /// Calls `add_late_relays` this many turns after the next one.
    void add_relays_after(int turns);
    /// Returns false if none of them can be used.
    bool add_late_relays();
    void forget_credentials();
    void on_ready() override;
    void on_failed() override { listener.on_ice_failed(); }
};

IcePath::IcePath(std::unique_ptr<State> state) : state_(std::move(state)) {}

IcePath::~IcePath() {
    auto &state = *state_;
    if (!state.agent) {
        return;
    }
    g_signal_handlers_disconnect_by_data(state.agent.get(), &state);
    state.carriers.clear();
    state.forget_credentials();
    if (state.gathering) {
        // Otherwise addresses being allocated by a server would stay allocated.
        nice_agent_remove_stream(state.agent.get(), state.stream);
    }
    close_agent(state.loop, state.agent.release(), std::move(state.relay_proxy));
}

Result<std::unique_ptr<IcePath>> IcePath::create(EventLoop &loop, const IceServers &servers,
                                                 bool controlling, IceListener &listener,
                                                 int socket_buffers) {
    auto state = std::make_unique<State>(loop, listener, controlling);
    state->relay_use = servers.relay_use;
    const bool hides = servers.relay_use == RelayUse::Only;
    // Nomination is aggressive: the first pair that works is used immediately. Regular nomination
    // waits for a second one, or for all others to fail.
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
    state->relay_proxy = std::make_unique<LoopbackRelayProxy>(loop);
    if (state->stream == 0) {
        return fail(ErrorCode::Internal, 0, "ICE stream could not be made");
    }
    auto &carriers = state->carriers;
    carriers.set_relay_use(servers.relay_use);
    auto pair = std::make_unique<AgentPair>(loop, carriers.listener(), *state->relay_proxy,
                                            AgentPair::Settings{.agent = agent,
                                                                .stream = state->stream,
                                                                .controlling = controlling,
                                                                .relay_use = servers.relay_use,
                                                                .socket_buffers = socket_buffers});
    state->pair = pair.get();
    carriers.add(std::move(pair));
    if (!hides) {
        auto tcp = std::make_unique<DirectTcp>(
            loop, carriers.listener(),
            DirectTcp::Settings{
                .announce =
                    [&listener](std::string_view line) { listener.on_local_candidate(line); },
                .follows = controlling});
        state->tcp = tcp.get();
        carriers.add(std::move(tcp));
    }
    state->late_relays = servers.turn;
    if (servers.stun.empty() || hides) {
        state->add_late_relays();
    }
    state->connect_signals();
    return std::unique_ptr<IcePath>(new IcePath(std::move(state)));
}

void IcePath::State::connect_signals() {
    g_signal_connect(agent.get(), "new-candidate-full",
                     G_CALLBACK(+[](NiceAgent *, NiceCandidate *candidate, gpointer user) {
                         static_cast<State *>(user)->on_candidate(candidate);
                     }),
                     this);
    g_signal_connect(agent.get(), "candidate-gathering-done",
                     G_CALLBACK(+[](NiceAgent *, guint, gpointer user) {
                         static_cast<State *>(user)->on_gathered();
                     }),
                     this);
    g_signal_connect(agent.get(), "component-state-changed",
                     G_CALLBACK(+[](NiceAgent *, guint, guint, guint changed, gpointer user) {
                         static_cast<State *>(user)->on_component_state(changed);
                     }),
                     this);
    g_signal_connect(
        agent.get(), "new-selected-pair-full",
        G_CALLBACK(+[](NiceAgent *, guint, guint, NiceCandidate *, NiceCandidate *, gpointer user) {
            auto &path = *static_cast<State *>(user);
            // The first pair is reported again as a state, once it is writable.
            if (path.pair->has_pair()) {
                path.pair->on_pair();
            }
        }),
        this);
}

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

void IcePath::State::on_gathered() {
    if (add_late_relays()) {
        return;
    }
    gathering = false;
    relay_proxy->close();
    listener.on_local_candidates_done();
}

void IcePath::State::on_component_state(guint component_state) {
    // Connected means that a pair works and is used; a better one may replace it. Ready follows
    // only when all pairs of higher priority have failed. That takes two more seconds if one of
    // them is dead, such as the private addresses of two homes.
    if (component_state == NICE_COMPONENT_STATE_CONNECTED ||
        component_state == NICE_COMPONENT_STATE_READY) {
        pair->on_pair();
    } else if (component_state == NICE_COMPONENT_STATE_FAILED) {
        pair->on_no_pair();
    }
}

/// Makes libnice stop checking. Further candidates of the other side restart it once.
void IcePath::State::on_ready() {
    nice_agent_peer_candidate_gathering_done(agent.get(), stream);
    g_object_set(agent.get(), "idle-timeout", kIdleMilliseconds, nullptr);
    listener.on_ice_ready();
}

Result<> IcePath::gather() {
    // libnice omits the loopback, which connects two windows on one computer without any network.
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
    state_->pair->prepare_sockets();
    state_->add_relays_after(kStunTurns);
    if (state_->tcp != nullptr) {
        state_->tcp->listen(hosts);
    }
    if (hosts.empty()) {
        hosts.emplace_back("127.0.0.1");
    }
    state_->hosts = std::move(hosts);
    return {};
}

Result<> IcePath::set_credentials(const IceCredentials &own, const IceCredentials &peer) {
    auto *agent = state_->agent.get();
    // These replace random credentials that libnice made and no peer knows.
    if (nice_agent_set_local_credentials(agent, state_->stream, own.ufrag.c_str(),
                                         own.pwd.c_str()) == FALSE ||
        nice_agent_set_remote_credentials(agent, state_->stream, peer.ufrag.c_str(),
                                          peer.pwd.c_str()) == FALSE) {
        return fail(ErrorCode::Internal, 0, "ICE credentials were refused");
    }
    if (state_->tcp != nullptr) {
        state_->tcp->set_credentials({.own = own, .peer = peer});
    }
    return {};
}

void IcePath::add_remote_candidate(std::string_view line) {
    state_->has_remote_candidate = true;
    if (is_of_tcp(line)) {
        if (state_->tcp != nullptr) {
            state_->tcp->add_remote_candidate(line);
        }
        return;
    }
    if (state_->relay_use == RelayUse::Never && candidate_field(line, 7) == "relay") {
        state_->pair->note_relay(std::string(candidate_field(line, 4)));
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
    state_->carriers.reconsider();
}

void IcePath::remote_candidates_done() {
    if (!state_->has_remote_candidate) {
        state_->carriers.expect_no_candidates();
    }
    nice_agent_peer_candidate_gathering_done(state_->agent.get(), state_->stream);
    state_->pair->set_remote_done();
}

void IcePath::refuse_relays() {
    state_->relay_use = RelayUse::Never;
    state_->pair->set_relay_use(RelayUse::Never);
    state_->carriers.set_relay_use(RelayUse::Never);
    state_->late_relays.clear();
    nice_agent_forget_relays(state_->agent.get(), state_->stream, kIceComponent);
}

void IcePath::expect_relays() { state_->pair->expect_relays(); }

bool IcePath::add_relay(const TurnServer &server) { return state_->add_relay(server); }

bool IcePath::State::add_relay(const TurnServer &server) {
    if (relay_use == RelayUse::Never) {
        return false;
    }
    if (!server.path.empty()) {
        if (!has_server_relay && !carriers.ready()) {
            has_server_relay = true;
            carriers.add(std::make_unique<ServerRelay>(loop, carriers.listener(), server));
        }
        return false;
    }
    LoopbackRelayProxy::Place place{.host = server.host, .port = server.port};
    if (server.tcp) {
        const auto opened = relay_proxy->open(server);
        if (!opened) {
            return false;
        }
        place = *opened;
    }
    pair->note_relay(server.host);
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

/// libnice doesn't wipe credentials. Zeros of maximum length overwrite the passwords.
void IcePath::State::forget_credentials() {
    static const std::string kZeros(kMaxPassword, '0');
    nice_agent_set_local_credentials(agent.get(), stream, kZeros.c_str(), kZeros.c_str());
    nice_agent_set_remote_credentials(agent.get(), stream, kZeros.c_str(), kZeros.c_str());
}

const std::vector<std::string> &IcePath::hosts() const { return state_->hosts; }

CarrierSet &IcePath::carriers() { return state_->carriers; }
const CarrierSet &IcePath::carriers() const { return state_->carriers; }

} // namespace thru
