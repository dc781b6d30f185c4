// Sockets of an agent taken over from libnice: the pair's and, at the receiver of a direct route,
// all others. Adds a fresh one while the path is in doubt. Network thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "loop/event_loop.h"
#include "net/datagram_path.h"
#include "path/agent_sockets.h"
#include "path/candidate_sockets.h"
#include "path/pair_socket.h"
#include "path/probe_socket.h"

namespace thru {

class DetachedSockets {
public:
    struct Settings {
        /// Must outlive this object.
        NiceAgent *agent = nullptr;
        guint stream = 0;
        /// The pair's socket, or the one to the server of a relayed pair.
        SocketPointer socket{};
        NiceAddress to{};
        bool relayed = false;
        /// True to send to the other computer's latest address.
        bool follows = false;
        int buffer_bytes = 0;
        /// See PairSocket.
        std::function<void(bool reads)> set_agent_reading{};
    };
    DetachedSockets(EventLoop &loop, DatagramListener &listener, Settings settings);
    ~DetachedSockets();
    DetachedSockets(const DetachedSockets &) = delete;
    DetachedSockets &operator=(const DetachedSockets &) = delete;

    /// See DatagramPath::send.
    DatagramPath::Sent send(ByteView bytes, std::size_t segment, const PathId &path_id);

    /// Nothing arrives: on a direct route, datagrams also go through a fresh socket from here on.
    void suspect();
    /// Something arrived: gives up the sockets that led nowhere.
    void confirm();
    /// True if the system chooses the local address of each datagram.
    bool has_fresh_address() const { return probe_ && probe_->received(); }

private:
    bool is_known_peer(const sockaddr &from);
    PairSocket::Remote judge(const sockaddr &from);
    Address expected() const;
    DatagramPath::Sent send_by_pair(ByteView bytes, std::size_t segment, const PathId &path_id);

    EventLoop &loop_;
    DatagramListener &listener_;
    Settings settings_;
    /// The other computer's addresses, as last queried from ICE.
    std::vector<NiceAddress> known_;
    Timestamp looks_again_at_ = 0;
    std::optional<PairSocket> pair_;
    std::optional<CandidateSockets> candidates_;
    std::unique_ptr<ProbeSocket> probe_;
};

} // namespace thru
