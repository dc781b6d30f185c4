#pragma once

#include "quic/connection.h"

namespace thru::test {

/// Listener of a connection whose streams do not matter.
struct SilentListener final : ConnectionListener {
    void on_established() override {}
    void on_stream_data(StreamId, ByteView, bool) override {}
    void on_stream_reset(StreamId) override {}
    void on_stream_closed(StreamId) override {}
};

} // namespace thru::test
