#include "sim/bulk_sender.h"

#include <algorithm>

namespace thru::sim {

namespace {

constexpr std::uint64_t kStreamBytes = 8ULL << 20;

} // namespace

std::uint64_t BulkSender::max_buffered() const {
    // The limits of a transfer: 48 MiB, or the path's need plus 8 MiB, for windows of 64 to 256
    // MiB.
    const auto usual = window / 4 * 3;
    const auto most =
        std::clamp(connection->bytes_to_fill_path() + window / 8, usual, max_window / 4 * 3);
    return part ? part->allowance(usual, most) : most;
}

void BulkSender::pump() {
    if (part) {
        part->hold(connection->unacknowledged_bytes());
    }
    const auto most = max_buffered();
    connection->set_supply(Bottleneck::SendBuffer);
    while (connection->established() && connection->unacknowledged_bytes() < most) {
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
