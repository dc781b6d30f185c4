// The sending end of bulk data, with endless data in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "engine/send_budget.h"
#include "quic/connection.h"

namespace thru::sim {

/// The payload's share of a full datagram, without headers and authentication tag.
inline constexpr double kPayloadShare = 1416.0 / 1452.0;

struct BulkSender final : ConnectionListener {
    Connection *connection = nullptr;
    /// The receiver's window, at first and at most.
    std::uint64_t window = kConnectionWindow;
    std::uint64_t max_window = kMaxConnectionWindow;
    /// Its part of a budget shared with other senders, if any.
    std::optional<SendBudget::Part> part{};

    /// Queues as much as a transfer with a disk faster than the path.
    void pump();
    /// Maximum number of unacknowledged bytes.
    std::uint64_t max_buffered() const;

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
