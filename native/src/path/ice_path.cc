#include "path/ice_path.h"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "path/glib.h"

#include <nice/agent.h>
#include <nice/interfaces.h>

#include "path/first_byte.h"
#include "path/on_link.h"
#include "path/own_socket.h"
#include "path/udp_batch.h"

namespace thru {

namespace {

constexpr guint kComponent = 1;
/// Datagrams of one send through libnice: GLib builds vectors on the stack for each.
constexpr std::size_t kMessagesPerSend = 64;
/// IPv4 and IPv6 over Ethernet; then PPPoE and the usual tunnels, where that is too much.
constexpr std::array<std::uint16_t, 4> kDirectDatagramBytes{1452, 1404, 1372, 1280};
/// Jumbo frames of 9,000 bytes, and of 4,088 for cards that have no larger ones, save a third of
/// the CPU; a network without them refuses or drops a few probes.
constexpr std::array<std::uint16_t, 6> kLocalDatagramBytes{1452, 8952, 4040, 1404, 1372, 1280};
/// What a channel's header leaves of IPv6 over Ethernet; then room for a TURN Send indication,
/// which adds 36 bytes (RFC 8656 section 10).
constexpr std::array<std::uint16_t, 3> kRelayedDatagramBytes{1448, 1400, 1280};
/// From one connectivity check to the next: the least that RFC 8445 allows (section 14.2). A pair
/// takes about three turns of it to be nominated, and each pair that leads nowhere one more.
constexpr guint kPacingMilliseconds = 5;

/// RFC 8839 section 5.4.
constexpr std::size_t kLongestPassword = 256;

struct ObjectDeleter {
    void operator()(gpointer object) const { g_object_unref(object); }
};
struct TextDeleter {
    void operator()(gchar *text) const { g_free(text); }
};
using Text = std::unique_ptr<gchar, TextDeleter>;

std::string address_text(const NiceAddress &address) {
    std::array<gchar, NICE_ADDRESS_STRING_LEN> text{};
    nice_address_to_string(&address, text.data());
    const auto port = std::to_string(nice_address_get_port(&address));
    return nice_address_ip_version(&address) == 6 ? "[" + std::string(text.data()) + "]:" + port
                                                  : std::string(text.data()) + ":" + port;
}

} // namespace

struct IcePath::State {
    State(EventLoop &owner_loop, IceListener &owner) : loop(owner_loop), listener(owner) {}

    EventLoop &loop;
    IceListener &listener;
    std::unique_ptr<NiceAgent, ObjectDeleter> agent;
    guint stream = 0;
    bool ready = false;
    bool failed = false;
    /// Candidates are looked for: relays may be allocated.
    bool gathering = false;

    /// Receives in a context that nobody runs: libnice leaves the socket alone.
    GMainContext *parked = nullptr;
    std::unique_ptr<GSocket, ObjectDeleter> socket;
    std::optional<OwnSocket> own;
    int socket_buffers = kSocketBufferBytes;
    /// Every socket gets the same.
    SocketBuffers buffers{};

    void on_candidate(NiceCandidate *candidate);
    void on_component_state(guint component_state);
    void prepare_sockets();
    void each_socket(const std::function<void(GSocket *)> &visit);
    void let_agent_read(bool reads);
    std::unique_ptr<GSocket, ObjectDeleter> socket_at(const NiceAddress &address);
    DatagramPath::Sent send_through_agent(ByteView bytes, std::size_t segment);
    void add_relay(const TurnServer &server);
    void forget_credentials();
};

void IcePath::State::on_candidate(NiceCandidate *candidate) {
    const Text sdp(nice_agent_generate_local_candidate_sdp(agent.get(), candidate));
    std::string_view line = sdp.get();
    constexpr std::string_view kAttribute = "a=";
    if (line.starts_with(kAttribute)) {
        line.remove_prefix(kAttribute.size());
    }
    listener.on_local_candidate(line);
}

void IcePath::State::on_component_state(guint component_state) {
    // Connected means that a pair is nominated, and with regular nomination it is the only one
    // ever. Ready comes when all pairs of higher priority have failed too: two seconds later
    // wherever one leads nowhere, as between the link-local addresses of two homes.
    const bool nominated = component_state == NICE_COMPONENT_STATE_CONNECTED ||
                           component_state == NICE_COMPONENT_STATE_READY;
    if (nominated && !ready) {
        ready = true;
        listener.on_ice_ready();
    } else if (component_state == NICE_COMPONENT_STATE_FAILED && !ready && !failed) {
        failed = true;
        listener.on_ice_failed();
    }
}

/// Before the handshake: a datagram of MTU discovery that the system splits would arrive on a path
/// that does not take it.
void IcePath::State::prepare_sockets() {
    each_socket(
        [this](GSocket *each) { buffers = prepare_socket(g_socket_get_fd(each), socket_buffers); });
}

/// Those of UDP; a relay over TCP has one of its own.
void IcePath::State::each_socket(const std::function<void(GSocket *)> &visit) {
    auto *sockets = nice_agent_get_sockets(agent.get(), stream, kComponent);
    for (guint index = 0; sockets != nullptr && index < sockets->len; ++index) {
        auto *each = static_cast<GSocket *>(g_ptr_array_index(sockets, index));
        if (g_socket_get_socket_type(each) == G_SOCKET_TYPE_DATAGRAM) {
            visit(each);
        }
    }
    g_clear_pointer(&sockets, g_ptr_array_unref);
}

void IcePath::State::let_agent_read(bool reads) {
    if (reads) {
        nice_agent_attach_recv(
            agent.get(), stream, kComponent, loop.context(),
            [](NiceAgent *, guint, guint, guint size, gchar *bytes, gpointer user) {
                const ByteView datagram{reinterpret_cast<const std::uint8_t *>(bytes), size};
                if (is_quic(datagram)) {
                    static_cast<State *>(user)->listener.on_datagrams(datagram, size);
                }
            },
            this);
        return;
    }
    if (parked == nullptr) {
        parked = g_main_context_new();
    }
    nice_agent_attach_recv(agent.get(), stream, kComponent, parked, nullptr, nullptr);
}

/// The socket of UDP that is bound to a local address, if there is one.
std::unique_ptr<GSocket, ObjectDeleter> IcePath::State::socket_at(const NiceAddress &address) {
    std::unique_ptr<GSocket, ObjectDeleter> found;
    each_socket([&](GSocket *each) {
        const std::unique_ptr<GSocketAddress, ObjectDeleter> bound(
            g_socket_get_local_address(each, nullptr));
        sockaddr_storage storage{};
        NiceAddress own_address;
        if (bound &&
            g_socket_address_to_native(bound.get(), &storage, sizeof storage, nullptr) != FALSE) {
            nice_address_set_from_sockaddr(&own_address, reinterpret_cast<sockaddr *>(&storage));
            if (nice_address_equal(&own_address, &address) != FALSE) {
                found.reset(static_cast<GSocket *>(g_object_ref(each)));
            }
        }
    });
    return found;
}

DatagramPath::Sent IcePath::State::send_through_agent(ByteView bytes, std::size_t segment) {
    std::array<GOutputVector, kMessagesPerSend> vectors;
    std::array<NiceOutputMessage, kMessagesPerSend> messages;
    std::size_t taken = 0;
    while (taken < bytes.size()) {
        std::size_t count = 0;
        auto at = taken;
        for (; at < bytes.size() && count < kMessagesPerSend; ++count) {
            const auto size = std::min(segment, bytes.size() - at);
            vectors.at(count) = {bytes.data() + at, size};
            messages.at(count) = {&vectors.at(count), 1};
            at += size;
        }
        GError *failure = nullptr;
        const auto sent =
            nice_agent_send_messages_nonblocking(agent.get(), stream, kComponent, messages.data(),
                                                 static_cast<guint>(count), nullptr, &failure);
        const bool busy =
            sent < 0 && g_error_matches(failure, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK) != FALSE;
        g_clear_error(&failure);
        if (busy) {
            break;
        }
        // What libnice refuses for another reason it would refuse for ever: one datagram is lost.
        const auto done = static_cast<std::size_t>(std::max(sent, 1));
        taken = std::min(at, taken + done * segment);
    }
    return {.bytes = taken};
}

void IcePath::State::add_relay(const TurnServer &server) {
    gathering = true;
    nice_agent_set_relay_info(agent.get(), stream, kComponent, server.host.c_str(), server.port,
                              server.user.c_str(), server.password.c_str(),
                              server.tcp ? NICE_RELAY_TYPE_TURN_TCP : NICE_RELAY_TYPE_TURN_UDP);
}

/// libnice does not wipe what it had. As long as they can be, the zeros leave nothing of a
/// password.
void IcePath::State::forget_credentials() {
    static const std::string kZeros(kLongestPassword, '0');
    nice_agent_set_local_credentials(agent.get(), stream, kZeros.c_str(), kZeros.c_str());
    nice_agent_set_remote_credentials(agent.get(), stream, kZeros.c_str(), kZeros.c_str());
}

IcePath::IcePath(std::unique_ptr<State> state) : state_(std::move(state)) {}

namespace {

/// Gives relayed addresses back to their servers (RFC 8656 section 7), which takes a round trip.
/// Takes the caller's reference; the loop counts it as pending meanwhile.
void close_agent(EventLoop &loop, NiceAgent *agent) {
    loop.add_pending();
    // GLib tells the end in the thread's default context, and only this one is run.
    g_main_context_push_thread_default(loop.context());
    nice_agent_close_async(
        agent,
        [](GObject *closed, GAsyncResult *, gpointer user) {
            static_cast<EventLoop *>(user)->remove_pending();
            g_object_unref(closed);
        },
        &loop);
    g_main_context_pop_thread_default(loop.context());
}

} // namespace

IcePath::~IcePath() {
    auto &state = *state_;
    if (state.agent) {
        state.own.reset();
        g_signal_handlers_disconnect_by_data(state.agent.get(), &state);
        state.forget_credentials();
        // libnice hears of a server's answer only while it has a callback, and the stream.
        nice_agent_attach_recv(
            state.agent.get(), state.stream, kComponent, state.loop.context(),
            [](NiceAgent *, guint, guint, guint, gchar *, gpointer) {}, nullptr);
        if (state.gathering) {
            // Else what a server allocates now would stay allocated.
            nice_agent_remove_stream(state.agent.get(), state.stream);
        }
        close_agent(state.loop, state.agent.release());
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
    const auto options = static_cast<NiceAgentOption>(NICE_AGENT_OPTION_REGULAR_NOMINATION |
                                                      NICE_AGENT_OPTION_ICE_TRICKLE);
    state->agent.reset(nice_agent_new_full(loop.context(), NICE_COMPATIBILITY_RFC5245, options));
    auto *agent = state->agent.get();
    g_object_set(agent, "controlling-mode", static_cast<gboolean>(controlling), "ice-tcp", FALSE,
                 "upnp", FALSE, "force-relay", static_cast<gboolean>(servers.relay_only),
                 "stun-pacing-timer", kPacingMilliseconds, nullptr);
    if (!servers.stun.empty()) {
        g_object_set(agent, "stun-server", servers.stun.front().host.c_str(), "stun-server-port",
                     static_cast<guint>(servers.stun.front().port), nullptr);
    }
    state->stream = nice_agent_add_stream(agent, 1);
    if (state->stream == 0) {
        return fail(ErrorCode::Internal, 0, "ICE stream could not be made");
    }
    for (const auto &turn : servers.turn) {
        state->add_relay(turn);
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
                         path.gathering = false;
                         path.listener.on_local_candidates_done();
                     }),
                     raw);
    g_signal_connect(agent, "component-state-changed",
                     G_CALLBACK(+[](NiceAgent *, guint, guint, guint changed, gpointer user) {
                         static_cast<State *>(user)->on_component_state(changed);
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
    g_list_free_full(addresses, g_free);
    state_->gathering = true;
    if (nice_agent_gather_candidates(state_->agent.get(), state_->stream) == FALSE) {
        return fail(ErrorCode::NoRoute, 0, "no network interface can be used");
    }
    state_->prepare_sockets();
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
    return {};
}

void IcePath::add_remote_candidate(std::string_view line) {
    const auto sdp = "a=" + std::string(line);
    auto *candidate =
        nice_agent_parse_remote_candidate_sdp(state_->agent.get(), state_->stream, sdp.c_str());
    if (candidate == nullptr) {
        return;
    }
    GSList *list = g_slist_append(nullptr, candidate);
    nice_agent_set_remote_candidates(state_->agent.get(), state_->stream, kComponent, list);
    g_slist_free_full(list, reinterpret_cast<GDestroyNotify>(&nice_candidate_free));
}

void IcePath::add_relay(const TurnServer &server) { state_->add_relay(server); }

void IcePath::remote_candidates_done() {
    nice_agent_peer_candidate_gathering_done(state_->agent.get(), state_->stream);
}

bool IcePath::ready() const { return state_->ready; }

Route IcePath::route() const {
    NiceCandidate *local = nullptr;
    NiceCandidate *remote = nullptr;
    Route route;
    if (nice_agent_get_selected_pair(state_->agent.get(), state_->stream, kComponent, &local,
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
            // TURN over TCP has a socket of its own, which libnice lists without a port.
            route.tcp = nice_address_get_port(&local->base_addr) == 0;
        }
        return route;
    }
    sockaddr_storage address{};
    nice_address_copy_to_sockaddr(&remote->addr, reinterpret_cast<sockaddr *>(&address));
    route.kind = is_on_link(reinterpret_cast<sockaddr &>(address)) ? Route::Kind::Local
                                                                   : Route::Kind::Direct;
    return route;
}

std::span<const std::uint16_t> IcePath::datagram_bytes() const {
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

void IcePath::take_socket() {
    auto &state = *state_;
    NiceCandidate *local = nullptr;
    NiceCandidate *remote = nullptr;
    if (state.own || nice_agent_get_selected_pair(state.agent.get(), state.stream, kComponent,
                                                  &local, &remote) == FALSE) {
        return;
    }
    const bool relayed = local->type == NICE_CANDIDATE_TYPE_RELAYED;
    NiceAddress to = remote->addr;
    if (relayed) {
        nice_candidate_relay_address(local, &to);
        state.socket = state.socket_at(local->base_addr);
    } else {
        state.socket.reset(
            nice_agent_get_selected_socket(state.agent.get(), state.stream, kComponent));
    }
    // There is none for a relay over TCP: libnice carries those datagrams.
    if (state.socket) {
        auto *raw = &state;
        state.own.emplace(state.loop, state.listener,
                          OwnSocket::Settings{
                              .descriptor = g_socket_get_fd(state.socket.get()),
                              .to = to,
                              .relayed = relayed,
                              .let_agent_read = [raw](bool reads) { raw->let_agent_read(reads); }});
    }
}

DatagramPath::Sent IcePath::send(ByteView bytes, std::size_t segment_bytes) {
    auto &own = state_->own;
    return own && own->sends() ? own->send(bytes, segment_bytes)
                               : state_->send_through_agent(bytes, segment_bytes);
}

} // namespace thru
