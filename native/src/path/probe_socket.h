// A socket bound to no address, for a path whose own socket may be dead. This computer may have
// lost its address, or a router may have forgotten the mapping. The system chooses the local
// address for each datagram. Network thread only.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "loop/event_loop.h"
#include "net/datagram_path.h"
#include "net/udp_batch.h"
#include "path/agent_sockets.h"

namespace thru {

class ProbeSocket {
public:
    /// True if the other computer is known to have that address.
    using IsKnownPeer = std::function<bool(const sockaddr &from)>;

    /// Returns nullptr on failure. `like` is an address of the required family.
    static std::unique_ptr<ProbeSocket> open(EventLoop &loop, DatagramListener &listener,
                                             const Address &like, int buffer_bytes,
                                             IsKnownPeer is_known_peer);
    ~ProbeSocket();
    ProbeSocket(const ProbeSocket &) = delete;
    ProbeSocket &operator=(const ProbeSocket &) = delete;

    /// True if the other computer has sent to it since it was opened, or since `suspect`.
    bool received() const { return received_; }
    void suspect() { received_ = false; }
    /// See DatagramPath::send.
    DatagramPath::Sent send(const Address &to, ByteView bytes, std::size_t segment);

private:
    ProbeSocket(EventLoop &loop, DatagramListener &listener, SocketPointer socket,
                IsKnownPeer is_known_peer);
    void read();
    void receive(ByteView bytes, std::size_t segment, const sockaddr &from);
    void set_full(bool full);

    EventLoop &loop_;
    DatagramListener &listener_;
    SocketPointer owner_;
    BatchSocket socket_;
    IsKnownPeer is_known_peer_;
    Bytes buffer_;
    bool received_ = false;
    bool full_ = false;
};

} // namespace thru
