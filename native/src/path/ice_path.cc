#include "path/ice_path.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "path/glib.h"

#include <nice/agent.h>
#include <nice/interfaces.h>

#include "path/on_link.h"
#include "path/udp_batch.h"

namespace thru {

namespace {

constexpr guint kComponent = 1;
/// Datagrams of one send through libnice: GLib builds vectors on the stack for each.
constexpr std::size_t kMessagesPerSend = 64;
/// Batches read before the loop turns to other work; one timestamp covers them.
constexpr int kBatchesPerTurn = 16;
/// IPv4 and IPv6 over Ethernet; then PPPoE and the usual tunnels, where that is too much.
constexpr std::array<std::uint16_t, 4> kDirectDatagramBytes{1452, 1404, 1372, 1280};
/// Jumbo frames of 9,000 bytes, and of 4,088 for cards that have no larger ones, save a third of
/// the CPU; a network without them refuses or drops a few probes.
constexpr std::array<std::uint16_t, 6> kLocalDatagramBytes{1452, 8952, 4040, 1404, 1372, 1280};
/// A TURN Send indication adds 36 bytes (RFC 8656 section 10).
constexpr std::array<std::uint16_t, 2> kRelayedDatagramBytes{1400, 1280};
/// From one connectivity check to the next: the least that RFC 8445 allows (section 14.2). A pair
/// takes about three turns of it to be nominated, and each pair that leads nowhere one more.
constexpr guint kPacingMilliseconds = 5;
/// First byte of a STUN message is below this, of a QUIC packet above (RFC 9443).
constexpr std::uint8_t kFirstQuicByte = 4;

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
    std::string ufrag;
    std::string pwd;
    bool ready = false;
    bool failed = false;

    /// Receives in a context that nobody runs: libnice leaves the socket alone.
    GMainContext *parked = nullptr;
    GSocket *socket = nullptr;
    BatchSocket own;
    int socket_buffers = kSocketBufferBytes;
    /// Every socket gets the same.
    SocketBuffers buffers{};
    bool socket_full = false;
    sockaddr_storage remote{};
    std::size_t remote_size = 0;
    Bytes buffer;

    void on_candidate(NiceCandidate *candidate);
    void on_component_state(guint component_state);
    void prepare_sockets();
    void read_socket();
    void deliver(ByteView bytes, std::size_t segment);
    DatagramPath::Sent send_through_agent(ByteView bytes, std::size_t segment);
    void release_socket();
    void add_relay(const TurnServer &server);
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
    auto *sockets = nice_agent_get_sockets(agent.get(), stream, kComponent);
    for (guint index = 0; sockets != nullptr && index < sockets->len; ++index) {
        auto *each = static_cast<GSocket *>(g_ptr_array_index(sockets, index));
        if (g_socket_get_socket_type(each) == G_SOCKET_TYPE_DATAGRAM) {
            buffers = prepare_socket(g_socket_get_fd(each), socket_buffers);
        }
    }
    g_clear_pointer(&sockets, g_ptr_array_unref);
}

void IcePath::State::read_socket() {
    if (std::exchange(socket_full, false)) {
        listener.on_writable();
    }
    for (int batch = 0; batch < kBatchesPerTurn && own.descriptor >= 0; ++batch) {
        const bool received =
            receive_batch(own.descriptor, buffer,
                          [this](ByteView bytes, std::size_t segment) { deliver(bytes, segment); });
        if (!received) {
            return;
        }
    }
}

void IcePath::State::deliver(ByteView bytes, std::size_t segment) {
    // STUN (keep-alives, late checks) may stand between QUIC datagrams of one batch.
    const auto is_quic = [&](std::size_t at) { return bytes[at] >= kFirstQuicByte; };
    std::size_t run = 0;
    for (std::size_t at = 0; at < bytes.size(); at += segment) {
        if (is_quic(at)) {
            continue;
        }
        if (at > run) {
            listener.on_datagrams(bytes.subspan(run, at - run), segment);
        }
        run = at + segment;
    }
    if (run < bytes.size()) {
        listener.on_datagrams(bytes.subspan(run), segment);
    }
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

void IcePath::State::release_socket() {
    if (own.descriptor >= 0) {
        loop.unwatch(own.descriptor);
        own = {};
    }
    if (socket != nullptr) {
        g_object_unref(socket);
        socket = nullptr;
    }
}

void IcePath::State::add_relay(const TurnServer &server) {
    nice_agent_set_relay_info(agent.get(), stream, kComponent, server.host.c_str(), server.port,
                              server.user.c_str(), server.password.c_str(),
                              server.tcp ? NICE_RELAY_TYPE_TURN_TCP : NICE_RELAY_TYPE_TURN_UDP);
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
    state.release_socket();
    if (state.agent) {
        g_signal_handlers_disconnect_by_data(state.agent.get(), &state);
        nice_agent_attach_recv(state.agent.get(), state.stream, kComponent, nullptr, nullptr,
                               nullptr);
        nice_agent_remove_stream(state.agent.get(), state.stream);
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
    gchar *ufrag = nullptr;
    gchar *pwd = nullptr;
    nice_agent_get_local_credentials(agent, state->stream, &ufrag, &pwd);
    state->ufrag = Text(ufrag).get();
    state->pwd = Text(pwd).get();

    auto *raw = state.get();
    g_signal_connect(agent, "new-candidate-full",
                     G_CALLBACK(+[](NiceAgent *, NiceCandidate *candidate, gpointer user) {
                         static_cast<State *>(user)->on_candidate(candidate);
                     }),
                     raw);
    g_signal_connect(agent, "candidate-gathering-done",
                     G_CALLBACK(+[](NiceAgent *, guint, gpointer user) {
                         static_cast<State *>(user)->listener.on_local_candidates_done();
                     }),
                     raw);
    g_signal_connect(agent, "component-state-changed",
                     G_CALLBACK(+[](NiceAgent *, guint, guint, guint changed, gpointer user) {
                         static_cast<State *>(user)->on_component_state(changed);
                     }),
                     raw);
    nice_agent_attach_recv(
        agent, state->stream, kComponent, loop.context(),
        [](NiceAgent *, guint, guint, guint size, gchar *bytes, gpointer user) {
            static_cast<State *>(user)->deliver(
                {reinterpret_cast<const std::uint8_t *>(bytes), size}, size);
        },
        raw);
    return std::unique_ptr<IcePath>(new IcePath(std::move(state)));
}

const std::string &IcePath::ufrag() const { return state_->ufrag; }
const std::string &IcePath::pwd() const { return state_->pwd; }

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
    if (nice_agent_gather_candidates(state_->agent.get(), state_->stream) == FALSE) {
        return fail(ErrorCode::NoRoute, 0, "no network interface can be used");
    }
    state_->prepare_sockets();
    return {};
}

Result<> IcePath::set_remote_credentials(const std::string &ufrag, const std::string &pwd) {
    if (nice_agent_set_remote_credentials(state_->agent.get(), state_->stream, ufrag.c_str(),
                                          pwd.c_str()) == FALSE) {
        return fail(ErrorCode::PeerProtocol, 0, "ICE credentials were refused");
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
    // There is none for relayed pairs: libnice wraps those datagrams for the TURN server.
    auto *socket = nice_agent_get_selected_socket(state.agent.get(), state.stream, kComponent);
    if (socket == nullptr || state.own.descriptor >= 0) {
        if (socket != nullptr) {
            g_object_unref(socket);
        }
        return;
    }
    NiceCandidate *local = nullptr;
    NiceCandidate *remote = nullptr;
    nice_agent_get_selected_pair(state.agent.get(), state.stream, kComponent, &local, &remote);
    nice_address_copy_to_sockaddr(&remote->addr, reinterpret_cast<sockaddr *>(&state.remote));
    state.remote_size =
        nice_address_ip_version(&remote->addr) == 6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
    state.socket = socket;
    state.own.descriptor = g_socket_get_fd(socket);
    state.buffer.resize(kReceiveBatchBytes);

    // Park libnice first: with joined datagrams in its hands it would take a batch for one.
    state.parked = g_main_context_new();
    nice_agent_attach_recv(state.agent.get(), state.stream, kComponent, state.parked, nullptr,
                           nullptr);
    set_receive_batching(state.own.descriptor, true);
    auto *raw = &state;
    state.loop.watch(
        state.own.descriptor, [raw] { raw->read_socket(); }, [raw] { return raw->socket_full; });
}

DatagramPath::Sent IcePath::send(ByteView bytes, std::size_t segment_bytes) {
    auto &state = *state_;
    if (state.own.descriptor < 0) {
        return state.send_through_agent(bytes, segment_bytes);
    }
    const auto sent =
        send_batch(state.own, bytes, segment_bytes,
                   reinterpret_cast<const sockaddr *>(&state.remote), state.remote_size);
    state.socket_full = sent.bytes < bytes.size();
    return sent;
}

} // namespace thru
