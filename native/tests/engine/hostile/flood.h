// Many messages in sequence, sent as fast as the other side accepts them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "quic/connection.h"

namespace thru {

/// Used on the thread of its connection.
class Flood {
public:
    /// Appends message `number` to `out`.
    using Make = std::function<void(std::uint64_t number, Bytes &out)>;

    /// Sends `count` messages on `stream`. Without one, each gets its own unidirectional stream,
    /// which it ends with `fin`.
    Flood(std::optional<StreamId> stream, std::uint64_t count, Make make, bool fin = true)
        : stream_(stream), count_(count), make_(std::move(make)), fin_(fin) {}

    /// Sends more; returns false when everything is sent.
    bool go_on(Connection &connection) {
        constexpr std::uint64_t kAhead = 256 << 10;
        while (said_ < count_ && connection.unsent_bytes() < kAhead) {
            Bytes bytes;
            const auto to = stream_ ? stream_ : connection.open_unidirectional();
            if (!to) {
                return true;
            }
            do {
                make_(said_++, bytes);
            } while (stream_ && said_ < count_ && bytes.size() < kTogether);
            connection.write(*to, bytes, !stream_ && fin_);
        }
        return said_ < count_;
    }
    std::uint64_t said() const { return said_; }

private:
    /// Small messages share a packet.
    static constexpr std::size_t kTogether = 4 << 10;

    std::optional<StreamId> stream_;
    std::uint64_t count_;
    Make make_;
    bool fin_;
    std::uint64_t said_ = 0;
};

} // namespace thru
