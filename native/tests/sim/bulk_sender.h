// The end that sends bulk data from memory: it always has more.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "engine/send_budget.h"
#include "quic/connection.h"

namespace thru::sim {

/// What a full datagram carries besides its headers and its seal.
inline constexpr double kPayloadShare = 1416.0 / 1452.0;

struct BulkSender final : ConnectionListener {
    Connection *connection = nullptr;
    /// The receiver's, at first and at most.
    std::uint64_t window = kConnectionWindow;
    std::uint64_t largest_window = kMaxConnectionWindow;
    /// Of the memory that it has together with others, if it has.
    std::optional<SendBudget::Part> part{};

    /// Queues what a transfer whose disk is faster than the path would have queued.
    void pump();
    /// What may be unacknowledged, in bytes.
    std::uint64_t most_buffered() const;

    void on_established() override {}
    void on_stream_data(StreamId, ByteView, bool) override {}
    void on_stream_reset(StreamId) override {}
    void on_stream_closed(StreamId) override {}

private:
    std::shared_ptr<Bytes> chunk_ = std::make_shared<Bytes>(kChunkBytes, std::uint8_t{7});
    StreamId stream_ = -1;
    std::uint64_t queued_ = 0;
};

} // namespace thru::sim
