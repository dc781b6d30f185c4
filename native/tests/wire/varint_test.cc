#include "wire/varint.h"

#include <gtest/gtest.h>

#include "support/vectors.h"

namespace thru {
namespace {

TEST(Varint, AgreesWithTheVectors) {
    for (const auto &vector : test::read_vectors("varint")) {
        SCOPED_TRACE(vector["name"]);
        const auto bytes = test::bytes_of(vector);
        const auto &expect = vector["expect"];
        ByteReader reader{bytes};
        const auto value = take_varint(reader);
        if (expect.contains("incomplete")) {
            EXPECT_FALSE(value);
            EXPECT_EQ(reader.consumed(), 0U);
            continue;
        }
        EXPECT_EQ(value, expect["value"].get<std::uint64_t>());
        EXPECT_EQ(reader.consumed(), expect["consumed"].get<std::size_t>());
        Bytes encoded;
        append_varint(encoded, *value);
        const auto taken = ByteView{bytes}.first(reader.consumed());
        EXPECT_EQ(as_text(encoded) == as_text(taken), expect["shortest"].get<bool>());
    }
}

TEST(Varint, ComesBackAroundEveryPowerOfTwo) {
    for (unsigned bits = 0; bits < 62; ++bits) {
        for (const auto value : {(1ULL << bits) - 1, 1ULL << bits, (1ULL << bits) + 1}) {
            Bytes bytes;
            append_varint(bytes, value);
            EXPECT_EQ(bytes.size(), varint_bytes(value));
            ByteReader reader{bytes};
            EXPECT_EQ(take_varint(reader), value);
            EXPECT_EQ(reader.left(), 0U);
            bytes.pop_back();
            ByteReader cut{bytes};
            EXPECT_FALSE(take_varint(cut));
        }
    }
}

TEST(ByteReader, TakesNothingWhenTheViewEndsTooEarly) {
    const Bytes bytes = {1, 2, 3};
    ByteReader reader{bytes};
    EXPECT_FALSE(reader.bytes(4));
    EXPECT_FALSE(reader.big_endian(4));
    EXPECT_EQ(reader.left(), 3U);
    EXPECT_EQ(reader.big_endian(2), 0x0102U);
    EXPECT_EQ(reader.peek(), 3);
    EXPECT_EQ(reader.byte(), 3);
    EXPECT_FALSE(reader.peek());
    EXPECT_FALSE(reader.byte());
    EXPECT_TRUE(reader.bytes(0));
}

} // namespace
} // namespace thru
