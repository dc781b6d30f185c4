// What an IcePath holds, shared by the files that make it up. Private to path/.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loop/glib.h"

#include <nice/agent.h>

#include "loop/timeout.h"
#include "net/udp_batch.h"
#include "path/agent_sockets.h"
#include "path/detour.h"
#include "path/direct_tcp.h"
#include "path/ice_path.h"
#include "path/relay/relay_doors.h"
#include "path/taken_sockets.h"

namespace thru {

struct IcePath::State final : DirectTcp::Owner, Detour::Owner {
    State(EventLoop &owner_loop, IceListener &owner) : loop(owner_loop), listener(owner) {}
    State(const State &) = delete;
    State &operator=(const State &) = delete;

    EventLoop &loop;
    IceListener &listener;
    bool controlling = false;
    RelayUse relay_use = RelayUse::Automatic;
    std::unique_ptr<NiceAgent, ObjectDeleter> agent;
    guint stream = 0;
    bool ready = false;
    /// libnice has a pair that works.
    bool connected = false;
    /// It has none, and will have none.
    bool failed = false;
    /// The other side names no more candidates.
    bool remote_done = false;
    /// Runs while a relayed pair, or a way over TCP, waits for a direct pair.
    Timeout patience;
    /// Candidates are looked for: relays may be allocated.
    bool gathering = false;
    /// Relays that were named first. libnice drops the answer of a STUN server as long as it asks a
    /// relay over UDP that it got to know before: it reads each answer by the rules of the first
    /// question from the same socket.
    std::vector<TurnServer> late_relays;
    Timeout relays_turn;
    /// To relays over TCP. They stay until the agent has ended.
    std::unique_ptr<RelayDoors> doors;
    /// Of all relays that are known, also of those that are not used; without a port.
    std::vector<NiceAddress> relays;
    /// Beside libnice; null where only relays are wanted.
    std::unique_ptr<DirectTcp> tcp;
    /// It carries beside the pair's socket, whenever it is chosen.
    bool tcp_is_beside = false;
    /// Once the signaling server has offered it.
    std::unique_ptr<Detour> detour;

    /// Receives in a context that nobody runs: libnice leaves the socket alone.
    GMainContext *parked = nullptr;
    /// Hears the sockets that were taken, which know nothing of TCP.
    class Udp final : public IceListener {
    public:
        explicit Udp(State &state) : state_(state) {}

    private:
        void on_local_candidate(std::string_view) override {}
        void on_local_candidates_done() override {}
        void on_ice_ready() override {}
        void on_ice_failed() override {}
        void on_datagrams(ByteView bytes, std::size_t segment_bytes, const Address &from) override;
        void on_writable() override { state_.listener.on_writable(); }
        State &state_;
    };
    Udp udp{*this};
    std::optional<TakenSockets> taken;
    int socket_buffers = kSocketBufferBytes;
    /// Every socket gets the same.
    SocketBuffers buffers{};

    void on_candidate(NiceCandidate *candidate);
    void on_component_state(guint component_state);
    void stop_looking();
    void on_pair();
    void wait_for_direct(guint milliseconds);
    void end_patience();
    void become_ready();
    void report_failure();
    void reconsider();
    void note_relay(const std::string &address);
    bool has_pair() const;
    bool relayed() const;
    bool surely_direct() const;
    /// Of a candidate at a relay over TCP; null for others.
    const TurnServer *server_of(const NiceCandidate &local) const;
    void prepare_sockets();
    void let_agent_read(bool reads);
    void on_datagram(ByteView datagram);
    bool add_relay(const TurnServer &server);
    /// Does `add_late_relays` so many turns of the loop after the next one.
    void add_relays_after(int turns);
    /// False: there are none that can be used.
    bool add_late_relays();
    void forget_credentials();
    void choose_detour();
    Route tcp_route() const;
    Route detour_route() const;
    /// The way over TCP that is used alone; null: another one.
    const DatagramStream *chosen_tcp() const {
        return tcp && !tcp_is_beside ? tcp->chosen() : nullptr;
    }
    /// False: UDP leads beyond the local network, or nowhere.
    bool let_tcp_accompany();
    /// The detour, if it is used; null: another way.
    Detour *chosen_detour() const { return detour && detour->chosen() ? detour.get() : nullptr; }

    void on_tcp_candidate(std::string_view line) override { listener.on_local_candidate(line); }
    void on_tcp_found() override;
    void on_tcp_chosen() override;
    void on_tcp_failed() override { report_failure(); }
    void on_detour_found() override;
    void on_detour_chosen() override;
    void on_detour_failed() override;
};

} // namespace thru
