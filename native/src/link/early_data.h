// Stream data of a connection that is not bound yet.
#pragma once

#include <cstddef>
#include <map>
#include <utility>

#include "base/byte_reader.h"
#include "base/bytes.h"
#include "quic/connection.h"

namespace thru {

/// Takes memory for bytes and for streams, however small the portions are. Network thread only.
class EarlyData {
public:
    /// False when it holds as much as it can: then nothing was taken.
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

    /// Calls `hear` with each stream, all its bytes and whether it has ended, and forgets them.
    template <class Hear> void hand_on(Hear hear) {
        bytes_ = 0;
        for (const auto &[stream, early] : std::exchange(streams_, {})) {
            hear(stream, ByteView{early.bytes}, early.fin);
        }
    }

    /// What a sender's first windows may carry while the packet with its binding is sent again.
    static constexpr std::size_t kMaxBytes = 1 << 20;

private:
    struct Early {
        Bytes bytes;
        bool fin = false;
    };
    std::map<StreamId, Early> streams_;
    std::size_t bytes_ = 0;
};

} // namespace thru
