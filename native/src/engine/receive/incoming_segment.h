// A segment on its way in. Private to receive_transfer.cc and receive_segments.cc.
#pragma once

#include <memory>
#include <vector>

#include "engine/receive/receive_transfer.h"
#include "target/segment_sink.h"
#include "wire/segment.h"

namespace thru {

struct ReceiveTransfer::Incoming {
    StreamId stream = -1;
    SegmentHeaderDecoder header;
    /// Bytes of data and hash that are still to come.
    std::uint64_t left = 0;
    std::unique_ptr<SegmentSink> writer;
    /// Null until the segment may be written.
    std::shared_ptr<DiskPool::Strand> strand;
    struct Write {
        Chunk chunk;
        bool last = false;
    };
    /// For the strand, once there is one.
    std::vector<Write> waiting;
    /// Number of its files, once all of its bytes have arrived.
    std::size_t files = 0;
    Chunk chunk;
    /// Data bytes written to disk whose hash is not known yet.
    std::uint64_t unverified = 0;
    /// Bytes that came without credit being given back, for an output that is written in order.
    std::uint64_t uncredited = 0;
    bool abandoned = false;
};

} // namespace thru
