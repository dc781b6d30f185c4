// The sending halves of all streams of a connection. Shared by the files of this folder only.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "quic/send_stream.h"

namespace thru {

class SendStreams {
public:
    /// A stream was opened; `limited` as in SendStream.
    void add(std::int64_t id, bool limited);
    /// Queues data. The first call for a stream that the other side opened adds it.
    void push(std::int64_t id, Chunk chunk, bool fin);
    /// Drops the queued data of a stream that has ended.
    void drop(std::int64_t id);
    /// Everything below `offset` is acknowledged.
    void acknowledge(std::int64_t id, std::uint64_t offset, Timestamp now);

    /// Begins a flush, unblocking streams. True if data subject to limits is waiting.
    bool begin_flush();
    /// Streams with something to send, in sending order.
    const std::vector<SendStream *> &sending() const { return sending_; }
    /// `bytes` from the stream's `next` were put into a packet.
    void advance(SendStream &stream, std::uint64_t bytes);
    void end_flush(Timestamp now);

    /// Bytes of all streams, or of one; see Connection::unacknowledged_bytes and unsent_bytes.
    std::uint64_t buffered() const { return buffered_; }
    std::uint64_t unsent() const { return unsent_; }
    std::uint64_t buffered(std::int64_t id) const;
    std::uint64_t unsent(std::int64_t id) const;
    bool under_way() const { return buffered_ != unsent_; }
    /// See Connection::Stall.
    Timestamp last_acknowledged() const { return last_acknowledged_; }

private:
    SendStream *find(std::int64_t id) const;

    std::unordered_map<std::int64_t, std::unique_ptr<SendStream>> streams_;
    std::vector<SendStream *> sending_;
    std::uint64_t buffered_ = 0;
    std::uint64_t unsent_ = 0;
    Timestamp last_acknowledged_ = 0;
    /// Data was in flight when the flush began.
    bool was_under_way_ = false;
};

} // namespace thru
