// The receiving end of bulk data: reads from memory to memory, as fast as it arrives.
#pragma once

#include <cstdint>

#include "quic/connection.h"

namespace thru::sim {

struct BulkReceiver final : ConnectionListener {
    Connection *connection = nullptr;
    std::uint64_t received = 0;

    void on_established() override {}
    void on_stream_data(StreamId, ByteView bytes, bool fin) override {
        received += bytes.size();
        connection->consume_connection(bytes.size());
        if (fin) {
            connection->allow_stream();
        }
    }
    void on_stream_reset(StreamId) override {}
    void on_stream_closed(StreamId) override {}
};

} // namespace thru::sim
