// Sockets of an agent that were taken out of libnice's hands: that of the pair, at the receiver of
// a direct route all others, and a fresh one when the path is in doubt. Used on the network thread
// only.
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
        /// Outlives this.
        NiceAgent *agent = nullptr;
        guint stream = 0;
        /// That of the pair, or to the server of a relayed one.
        SocketPointer socket{};
        NiceAddress to{};
        bool relayed = false;
        /// What is sent goes to where the other computer writes from.
        bool follows = false;
        int buffer_bytes = 0;
        /// See OwnSocket.
        std::function<void(bool reads)> let_agent_read{};
    };
    TakenSockets(EventLoop &loop, DatagramListener &listener, Settings settings);
    ~TakenSockets();
    TakenSockets(const TakenSockets &) = delete;
    TakenSockets &operator=(const TakenSockets &) = delete;

    /// As DatagramPath::send.
    DatagramPath::Sent send(ByteView bytes, std::size_t segment, const Way &way);

    /// Nothing comes: on a direct route all goes by a fresh socket, too, from now on.
    void doubt();
    /// Something came: what led nowhere is given up.
    void settle();
    /// It goes from whatever address this computer has.
    bool has_fresh_address() const { return spare_ && spare_->heard(); }

private:
    bool knows(const sockaddr &from);
    OwnSocket::Source judge(const sockaddr &from);
    Address expected() const;
    DatagramPath::Sent send_by_pair(ByteView bytes, std::size_t segment, const Way &way);

    EventLoop &loop_;
    DatagramListener &listener_;
    Settings settings_;
    /// Where ICE had found the other computer when it was asked last.
    std::vector<NiceAddress> known_;
    Timestamp looks_again_at_ = 0;
    std::optional<OwnSocket> own_;
    std::optional<OtherSockets> others_;
    std::unique_ptr<SpareSocket> spare_;
};

} // namespace thru
