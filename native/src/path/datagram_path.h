// Where datagrams go out. QUIC knows this interface and nothing below it.
#pragma once

#include <cstddef>

#include "base/bytes.h"

namespace thru {

class DatagramPath {
public:
    virtual ~DatagramPath() = default;

    /// Sends datagrams that lie one after another in `bytes`, each of `segment_bytes` but the last,
    /// which may be shorter. Returns how many bytes were taken, whole datagrams only; fewer than
    /// given means that the path is busy now. Loss is the network's right: errors that only lose
    /// datagrams are not reported.
    virtual std::size_t send(ByteView bytes, std::size_t segment_bytes) = 0;
};

} // namespace thru
