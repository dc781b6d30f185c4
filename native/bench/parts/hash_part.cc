#include <algorithm>
#include <memory>

#include "base/buffer_pool.h"
#include "base/bytes.h"
#include "hashing.h"
#include "parts/part.h"
#include "wire/segment.h"

namespace thru::bench {

namespace {

Ready prepare_hash(std::uint64_t amount) {
    const std::uint64_t chunks = (amount + kChunkBytes - 1) / kChunkBytes;
    const auto segment = std::make_shared<Bytes>(kSegmentBytes, std::uint8_t{7});
    const auto chunk = std::make_shared<Bytes>(kChunkBytes);
    return {.amount = chunks * kChunkBytes,
            .run =
                [chunks] {
                    const double spent = hashing_seconds(chunks * kChunkBytes);
                    return Took{.seconds = spent, .cpu = spent};
                },
            .limit =
                [chunks, segment, chunk] {
                    return timed([&] {
                        for (std::uint64_t index = 0; index < chunks; ++index) {
                            const auto at = index * kChunkBytes % kSegmentBytes;
                            std::ranges::copy(ByteView(*segment).subspan(at, kChunkBytes),
                                              chunk->begin());
                            use(chunk->data());
                        }
                    });
                }};
}

} // namespace

const Part kHash{.name = "hash",
                 .what = "BLAKE3 of segments, by one thread",
                 .unit = "B",
                 .limit = "memcpy of chunks",
                 .amount = 4ULL << 30,
                 .prepare = prepare_hash};

} // namespace thru::bench
