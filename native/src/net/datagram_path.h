// The outgoing side of a datagram path. QUIC knows this interface and nothing below it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.h"
#include "net/address.h"

namespace thru {

/// A path to the other computer, as QUIC tells paths apart.
struct PathId {
    /// The number of the local path; the first is 0.
    std::uint16_t local = 0;
    /// The other side's address; empty for the one that the path expects.
    Address remote{};
    friend bool operator==(const PathId &, const PathId &) = default;
};

class DatagramPath {
public:
    virtual ~DatagramPath() = default;

    struct Sent {
        /// Bytes of whole datagrams; fewer than given means that the path is busy.
        std::size_t bytes = 0;
        /// A datagram was refused because of its size. It counts as sent.
        bool too_large = false;
        /// The datagrams travel in a stream up to the other computer, so their size doesn't matter.
        bool in_stream = false;
    };
    /// Sends the consecutive datagrams in `bytes`, each of `segment_bytes` except the last, which
    /// may be shorter. `path_id` must be one that data arrived on, or the initial one. Errors that
    /// only lose datagrams are not reported, because networks may lose them anyway.
    virtual Sent send(ByteView bytes, std::size_t segment_bytes, const PathId &path_id) = 0;
    /// Sends the final datagram: it is not sent again, even if paths turn out to be dead.
    virtual Sent send_last(ByteView datagram, const PathId &path_id) {
        return send(datagram, datagram.size(), path_id);
    }
};

/// Receives the data of a path or of one of its sockets. Network thread only.
class DatagramListener {
public:
    virtual ~DatagramListener() = default;
    /// Takes the consecutive datagrams in `bytes`, each of `segment_bytes` except the last, which
    /// may be shorter. An empty `from` stands for the other computer's known address.
    virtual void on_datagrams(ByteView bytes, std::size_t segment_bytes, const Address &from) = 0;
    /// A path that was busy may accept datagrams again.
    virtual void on_writable() = 0;
};

} // namespace thru
