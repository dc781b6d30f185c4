// Where datagrams go out. QUIC knows this interface and nothing below it.
#pragma once

#include <cstddef>

#include "base/bytes.h"

namespace thru {

class DatagramPath {
public:
    virtual ~DatagramPath() = default;

    struct Sent {
        /// Whole datagrams only; fewer than given means that the path is busy now.
        std::size_t bytes = 0;
        /// One was refused because of its size. It counts as sent.
        bool too_large = false;
    };
    /// Sends datagrams that lie one after another in `bytes`, each of `segment_bytes` but the last,
    /// which may be shorter. Loss is the network's right: other errors that only lose datagrams are
    /// not reported.
    virtual Sent send(ByteView bytes, std::size_t segment_bytes) = 0;
};

} // namespace thru
