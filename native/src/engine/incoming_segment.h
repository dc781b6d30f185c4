// A segment on its way in. Private to receive_transfer.cc and receive_segments.cc.
#pragma once

#include <memory>

#include "engine/receive_transfer.h"

namespace thru {

struct ReceiveTransfer::Incoming {
    StreamId stream = -1;
    /// Type byte and header until they are whole.
    Bytes header;
    std::unique_ptr<SegmentWriter> writer;
    std::shared_ptr<DiskPool::Strand> strand;
    Chunk chunk;
    /// Data bytes written to disk whose hash is not known yet.
    std::uint64_t unverified = 0;
    bool abandoned = false;
};

} // namespace thru
