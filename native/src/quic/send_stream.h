// The sending half of a stream: chunks waiting to be sent, then buffered until acknowledged.
#pragma once

#include <cstdint>
#include <deque>
#include <span>

#include "base/chunk.h"

namespace thru {

class SendStream {
public:
    SendStream(std::int64_t id, bool limited) : id_(id), limited_(limited) {}

    std::int64_t id() const { return id_; }
    /// True if rate limits and the pause apply.
    bool limited() const { return limited_; }

    void push(Chunk chunk, bool fin);

    /// Fills `slots` with views of the next data; returns the number filled.
    std::size_t next(std::span<ByteView> slots) const;
    /// True if the slots that `next` would fill reach the end of the stream.
    bool ends_within(std::size_t slots) const;
    /// `bytes` from `next` were put into a packet.
    void advance(std::uint64_t bytes);
    /// The end mark was put into a packet.
    void end_sent() { fin_sent_ = true; }
    /// Everything below `offset` is acknowledged; returns the number of bytes freed.
    std::uint64_t acknowledge(std::uint64_t offset);

    /// True if data or the end mark alone can be sent.
    bool sendable() const { return unsent_ > 0 || (fin_ && !fin_sent_); }
    std::uint64_t unsent() const { return unsent_; }
    std::uint64_t buffered() const { return unsent_ + sent_ - acknowledged_; }

    /// Refused by flow control since the last packet burst began.
    bool blocked = false;

private:
    std::int64_t id_;
    bool limited_ = false;
    std::deque<Chunk> chunks_;
    /// First chunk with unsent bytes, and the bytes of it already sent.
    std::size_t cursor_chunk_ = 0;
    std::size_t cursor_offset_ = 0;
    std::uint64_t unsent_ = 0;
    std::uint64_t sent_ = 0;
    std::uint64_t acknowledged_ = 0;
    /// Stream offset where chunks_.front() begins.
    std::uint64_t front_offset_ = 0;
    bool fin_ = false;
    bool fin_sent_ = false;
};

} // namespace thru
