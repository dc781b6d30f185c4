#include "hashing.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "base/buffer_pool.h"
#include "base/bytes.h"
#include "cpu_time.h"
#include "crypto/digest.h"
#include "wire/segment.h"

namespace thru {

double hashing_seconds(std::uint64_t bytes) {
    const Bytes segment(kSegmentBytes, std::uint8_t{7});
    Bytes chunk(kChunkBytes);
    std::optional<Blake3> hasher;
    double spent = 0;
    for (std::uint64_t done = 0; done < bytes; done += kChunkBytes) {
        const std::uint64_t at = done % kSegmentBytes;
        if (at == 0) {
            hasher.emplace();
        }
        std::ranges::copy(ByteView(segment).subspan(static_cast<std::size_t>(at), kChunkBytes),
                          chunk.begin());
        const double begun = thread_cpu_seconds();
        hasher->update(chunk);
        if (at + kChunkBytes == kSegmentBytes) {
            static_cast<void>(hasher->finish());
        }
        spent += thread_cpu_seconds() - begun;
    }
    return spent;
}

} // namespace thru
