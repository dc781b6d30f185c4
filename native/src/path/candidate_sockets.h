// The agent's sockets other than the pair's. Each side takes the best pair that it knows to work,
// and the two may differ. So the receiver listens on all of its sockets and replies to the sender's
// address, while the sender keeps its pair. Network thread only.
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

class CandidateSockets {
public:
    struct Settings {
        /// Still owned by the agent, which must not read them meanwhile.
        std::vector<int> descriptors;
        /// True if the other computer may send from there.
        std::function<bool(const sockaddr &from)> is_known_peer;
    };
    CandidateSockets(EventLoop &loop, DatagramListener &listener, Settings settings);
    ~CandidateSockets();
    CandidateSockets(const CandidateSockets &) = delete;
    CandidateSockets &operator=(const CandidateSockets &) = delete;

    /// True if the other computer's last datagram arrived on one of them.
    bool received() const { return received_ != nullptr; }
    /// The source address of the last datagram; only while `heard`.
    Address received_from() const {
        return Address(reinterpret_cast<const sockaddr &>(received_->from));
    }
    /// A datagram arrived on the pair's socket. If the other computer sent it, stops using these
    /// sockets and returns true.
    bool abandon(const sockaddr &from);
    /// Like DatagramPath::send, to the other computer's last address; only while `heard`.
    DatagramPath::Sent send(ByteView bytes, std::size_t segment);

private:
    struct Candidate {
        BatchSocket socket;
        sockaddr_storage from{};
        std::size_t from_size = 0;
        bool full = false;
    };
    void read(Candidate &candidate);
    void receive(Candidate &candidate, ByteView bytes, std::size_t segment, const sockaddr &from);
    void set_full(Candidate &candidate, bool full);

    EventLoop &loop_;
    DatagramListener &listener_;
    std::function<bool(const sockaddr &from)> is_known_peer_;
    std::vector<Candidate> candidates_;
    Candidate *received_ = nullptr;
    Bytes buffer_;
};

} // namespace thru
