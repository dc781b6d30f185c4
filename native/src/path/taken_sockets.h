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
#include "path/other_sockets.h"
#include "path/own_socket.h"
#include "path/spare_socket.h"

namespace thru {

class TakenSockets {
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
        /// See OwnSocket.
        std::function<void(bool reads)> set_agent_reading{};
    };
    TakenSockets(EventLoop &loop, DatagramListener &listener, Settings settings);
    ~TakenSockets();
    TakenSockets(const TakenSockets &) = delete;
    TakenSockets &operator=(const TakenSockets &) = delete;

    /// See DatagramPath::send.
    DatagramPath::Sent send(ByteView bytes, std::size_t segment, const Way &way);

    /// Nothing arrives: on a direct route, datagrams also go through a fresh socket from here on.
    void suspect();
    /// Something arrived: gives up the sockets that led nowhere.
    void confirm();
    /// True if the system chooses the local address of each datagram.
    bool has_fresh_address() const { return spare_ && spare_->received(); }

private:
    bool is_known_peer(const sockaddr &from);
    OwnSocket::Remote judge(const sockaddr &from);
    Address expected() const;
    DatagramPath::Sent send_by_pair(ByteView bytes, std::size_t segment, const Way &way);

    EventLoop &loop_;
    DatagramListener &listener_;
    Settings settings_;
    /// The other computer's addresses, as last queried from ICE.
    std::vector<NiceAddress> known_;
    Timestamp looks_again_at_ = 0;
    std::optional<OwnSocket> own_;
    std::optional<OtherSockets> others_;
    std::unique_ptr<SpareSocket> spare_;
};

} // namespace thru
