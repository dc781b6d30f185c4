// The agent's sockets beside that of the pair. Each computer takes the best pair that it knows to
// work, and one may know of a better pair than the other. So the receiver hears on all of its
// sockets, and writes to where the sender writes from; the sender stays with its pair.
// Used on the network thread only.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "loop/glib.h"

#include <nice/agent.h>

#include "loop/event_loop.h"
#include "net/datagram_path.h"
#include "net/udp_batch.h"

namespace thru {

bool is_among(std::span<const NiceAddress> known, const sockaddr &from);

class OtherSockets {
public:
    struct Settings {
        /// They stay their owner's, who reads none of them meanwhile.
        std::vector<int> descriptors;
        /// Whether the other computer may write from there.
        std::function<bool(const sockaddr &from)> knows;
    };
    OtherSockets(EventLoop &loop, DatagramListener &listener, Settings settings);
    ~OtherSockets();
    OtherSockets(const OtherSockets &) = delete;
    OtherSockets &operator=(const OtherSockets &) = delete;

    /// The other computer wrote to one of them last.
    bool heard() const { return heard_ != nullptr; }
    /// Where it wrote from; only while it was heard.
    Address heard_from() const { return Address(reinterpret_cast<const sockaddr &>(heard_->from)); }
    /// Somebody wrote to the pair's socket; true, and nothing is sent from here any more: it was
    /// the other computer.
    bool leave(const sockaddr &from);
    /// As DatagramPath::send, to where it wrote from; only while it was heard.
    DatagramPath::Sent send(ByteView bytes, std::size_t segment);

private:
    struct Other {
        BatchSocket socket;
        sockaddr_storage from{};
        std::size_t from_size = 0;
        bool full = false;
    };
    void read(Other &other);
    void receive(Other &other, ByteView bytes, std::size_t segment, const sockaddr &from);
    void set_full(Other &other, bool full);

    EventLoop &loop_;
    DatagramListener &listener_;
    std::function<bool(const sockaddr &from)> knows_;
    std::vector<Other> others_;
    Other *heard_ = nullptr;
    Bytes buffer_;
};

} // namespace thru
