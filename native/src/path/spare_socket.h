// A socket of no particular address, for a path whose own one may lead nowhere: this computer has
// lost its address, or a router has forgotten it. The system chooses the address anew for each
// datagram. Used on the network thread only.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "loop/event_loop.h"
#include "net/datagram_path.h"
#include "net/udp_batch.h"
#include "path/agent_sockets.h"

namespace thru {

class SpareSocket {
public:
    /// Whether the other computer is known to be at an address.
    using Knows = std::function<bool(const sockaddr &from)>;

    /// nullptr when the system gives none. `like` is an address of the family that is needed.
    static std::unique_ptr<SpareSocket> open(EventLoop &loop, DatagramListener &listener,
                                             const Address &like, int buffer_bytes, Knows knows);
    ~SpareSocket();
    SpareSocket(const SpareSocket &) = delete;
    SpareSocket &operator=(const SpareSocket &) = delete;

    /// The other computer has written to it since it was opened, or since `doubt`.
    bool heard() const { return heard_; }
    void doubt() { heard_ = false; }
    /// As DatagramPath::send.
    DatagramPath::Sent send(const Address &to, ByteView bytes, std::size_t segment);

private:
    SpareSocket(EventLoop &loop, DatagramListener &listener, SocketPointer socket, Knows knows);
    void read();
    void receive(ByteView bytes, std::size_t segment, const sockaddr &from);
    void set_full(bool full);

    EventLoop &loop_;
    DatagramListener &listener_;
    SocketPointer owner_;
    BatchSocket socket_;
    Knows knows_;
    Bytes buffer_;
    bool heard_ = false;
    bool full_ = false;
};

} // namespace thru
