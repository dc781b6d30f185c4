// Where datagrams go out. QUIC knows this interface and nothing below it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.h"
#include "net/address.h"

namespace thru {

/// One of the ways between the two computers, as far as QUIC tells them apart.
struct Way {
    /// Which of this side's paths; the first is 0.
    std::uint16_t local = 0;
    /// Where the other side is; empty for where this path expects it.
    Address remote{};
    friend bool operator==(const Way &, const Way &) = default;
};

class DatagramPath {
public:
    virtual ~DatagramPath() = default;

    struct Sent {
        /// Whole datagrams only; fewer than given means that the path is busy now.
        std::size_t bytes = 0;
        /// One was refused because of its size. It counts as sent.
        bool too_large = false;
        /// They go in a stream up to the other computer: their size decides nothing.
        bool in_stream = false;
    };
    /// Sends datagrams that lie one after another in `bytes`, each of `segment_bytes` but the last,
    /// which may be shorter, by a way on which something came, or by the one that is there from the
    /// beginning. Loss is the network's right: other errors that only lose datagrams are not
    /// reported.
    virtual Sent send(ByteView bytes, std::size_t segment_bytes, const Way &way) = 0;
    /// One that nothing follows: it isn't sent again, however many ways turn out to lead nowhere.
    virtual Sent send_last(ByteView datagram, const Way &way) {
        return send(datagram, datagram.size(), way);
    }
};

/// Takes what arrives on a path, or on one of its sockets. Network thread only.
class DatagramListener {
public:
    virtual ~DatagramListener() = default;
    /// Datagrams that lie one after another in `bytes`, each of `segment_bytes` but the last, which
    /// may be shorter. Empty `from`: they came from where the other computer is known to be.
    virtual void on_datagrams(ByteView bytes, std::size_t segment_bytes, const Address &from) = 0;
    /// A path that was busy may take datagrams again.
    virtual void on_writable() = 0;
};

} // namespace thru
