#include "sim/bulk_sender.h"

namespace thru::sim {

namespace {

constexpr std::uint64_t kStreamBytes = 8ULL << 20;
constexpr std::uint64_t kBuffered = 48ULL << 20;

} // namespace

void BulkSender::pump() {
    while (connection->established() && connection->unacknowledged_bytes() < kBuffered) {
        if (stream_ < 0) {
            const auto opened = connection->open_unidirectional();
            if (!opened) {
                return;
            }
            stream_ = *opened;
        }
        queued_ += kChunkBytes;
        const bool last = queued_ % kStreamBytes == 0;
        connection->write(stream_, Chunk{chunk_, kChunkBytes}, last);
        if (last) {
            stream_ = -1;
        }
    }
}

} // namespace thru::sim
