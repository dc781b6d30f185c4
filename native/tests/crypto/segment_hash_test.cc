// The hash at the end of a segment: only what it covers. Other layers compute it.
#include <gtest/gtest.h>

#include "crypto/digest.h"
#include "support/parsed_segment_header.h"
#include "support/vectors.h"
#include "wire/segment.h"

namespace thru {
namespace {

Digest blake3(std::initializer_list<ByteView> parts) {
    Blake3 hash;
    for (const auto part : parts) {
        hash.update(part);
    }
    return hash.finish();
}

TEST(SegmentHash, CoversTheHeaderAndTheHashOfTheData) {
    int streams = 0;
    for (const auto &vector : test::read_vectors("segment")) {
        if (!vector["expect"].contains("data_hash")) {
            continue;
        }
        SCOPED_TRACE(vector["name"]);
        ++streams;
        const auto bytes = test::bytes_of(vector);
        SegmentHeaderDecoder decoder;
        ASSERT_TRUE(decoder.feed(bytes) && decoder.done());
        const ByteView header = decoder.bytes();
        const auto rest = ByteView{bytes}.subspan(header.size());
        ASSERT_EQ(rest.size(), plan_bytes(decoder.plan()) + kSegmentHashBytes);
        const auto data_hash = blake3({rest.first(rest.size() - kSegmentHashBytes)});
        EXPECT_EQ(test::to_hex(data_hash), vector["expect"]["data_hash"].get<std::string>());
        EXPECT_EQ(test::to_hex(blake3({header, data_hash})),
                  test::to_hex(rest.last(kSegmentHashBytes)));
    }
    EXPECT_GT(streams, 0);
}

} // namespace
} // namespace thru
