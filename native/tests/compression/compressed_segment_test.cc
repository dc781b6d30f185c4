// Whole compressed segments of the vectors, which other programs must be able to make and read.
#include <gtest/gtest.h>

#include "base/byte_reader.h"
#include "compression/zstd.h"
#include "support/vectors.h"
#include "wire/segment.h"
#include "wire/segment_blocks.h"

namespace thru {
namespace {

/// The uncompressed stream in hex, or the error of a block.
std::string uncompressed(ByteView bytes) {
    SegmentHeaderDecoder header(true);
    const auto consumed = header.feed(bytes);
    EXPECT_TRUE(consumed && header.done());
    SegmentBlockDecoder blocks(header.bytes().size(),
                               plan_bytes(header.plan()) + kSegmentHashBytes);
    Bytes plain = header.bytes();
    const auto error = [](const Error &of) { return std::string(error_name(of.code)); };
    for (bytes = bytes.subspan(*consumed); !bytes.empty();) {
        const auto fed = blocks.feed(bytes);
        if (!fed) {
            return error(fed.error());
        }
        bytes = bytes.subspan(*fed);
        if (blocks.whole() && (!blocks.at_last() || bytes.empty())) {
            const auto block = blocks.take();
            const auto data = block.is_compressed() ? decompressed(block.bytes, block.plain)
                                                    : Result<Bytes>(block.bytes);
            if (!data) {
                return error(data.error());
            }
            append_bytes(plain, *data);
        }
    }
    return test::to_hex(plain);
}

TEST(CompressedSegment, AgreesWithTheVectors) {
    int streams = 0;
    for (const auto &vector : test::read_vectors("segment")) {
        const auto &expected = vector["expect"];
        if (!expected.contains("compressed")) {
            continue;
        }
        SCOPED_TRACE(vector["name"]);
        ++streams;
        EXPECT_EQ(uncompressed(test::bytes_of(vector)),
                  expected.value(expected.contains("uncompressed") ? "uncompressed" : "block_error",
                                 std::string()));
    }
    EXPECT_GT(streams, 3);
}

} // namespace
} // namespace thru
