// Stream data of a connection that is not bound yet.
#pragma once

#include <cstddef>
#include <map>
#include <utility>

#include "base/byte_reader.h"
#include "base/bytes.h"
#include "quic/connection.h"

namespace thru {

/// Its memory is bounded by bytes and streams, however small the pieces. Network thread only.
class EarlyData {
public:
    /// Returns false and takes nothing if the limit is reached.
    bool add(StreamId stream, ByteView bytes, bool fin) {
        if (bytes.size() > kMaxBytes - bytes_) {
            return false;
        }
        if (!bytes.empty() || fin) {
            auto &early = streams_[stream];
            append_bytes(early.bytes, bytes);
            early.fin = early.fin || fin;
            bytes_ += bytes.size();
        }
        return true;
    }

    /// The sender abandoned the stream, for example because a prefetched file changed.
    void reset(StreamId stream) { streams_[stream].reset = true; }

    /// Passes each stream, its bytes and its end to `hear`, the reset ones then to `hear_reset`,
    /// and clears the data.
    template <class Hear, class HearReset> void hand_on(Hear hear, HearReset hear_reset) {
        bytes_ = 0;
        for (const auto &[stream, early] : std::exchange(streams_, {})) {
            if (!early.bytes.empty() || early.fin) {
                hear(stream, ByteView{early.bytes}, early.fin);
            }
            if (early.reset) {
                hear_reset(stream);
            }
        }
    }

    /// The data of a sender's first windows while the packet with its binding is retransmitted.
    static constexpr std::size_t kMaxBytes = 1 << 20;

private:
    struct Early {
        Bytes bytes;
        bool fin = false;
        bool reset = false;
    };
    std::map<StreamId, Early> streams_;
    std::size_t bytes_ = 0;
};

} // namespace thru
