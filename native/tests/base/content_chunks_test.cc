#include "base/content_chunks.h"

#include <gtest/gtest.h>

#include "support/vectors.h"

namespace thru {
namespace {

Bytes data_of(const test::Json &data) {
    Bytes bytes;
    std::uint64_t state = data["seed"];
    const std::size_t size = data["bytes"];
    while (bytes.size() < size) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        for (int shift = 0; shift < 64; shift += 8) {
            bytes.push_back(static_cast<std::uint8_t>(state >> shift));
        }
    }
    bytes.resize(size);
    if (data.contains("insert_at")) {
        bytes.insert(bytes.begin() + data["insert_at"].get<std::ptrdiff_t>(), 'x');
    }
    return bytes;
}

TEST(ContentChunks, AgreeWithTheVectors) {
    for (const auto &vector : test::read_vectors("chunks")) {
        SCOPED_TRACE(vector["name"]);
        const Bytes data = data_of(vector["data"]);
        const ChunkLengths lengths{.average = vector["average"]};
        std::vector<std::size_t> found;
        for (ByteView left(data); !left.empty(); left = left.subspan(found.back())) {
            found.push_back(chunk_length(left, lengths));
        }
        EXPECT_EQ(found, vector["expect"]["lengths"].get<std::vector<std::size_t>>());
    }
}

TEST(ContentChunks, AreLongerInLargerFiles) {
    constexpr std::uint64_t kMiB = 1ULL << 20;
    constexpr std::uint64_t kGiB = 1ULL << 30;
    EXPECT_FALSE(ChunkLengths::of(kMiB - 1));
    EXPECT_FALSE(ChunkLengths::of(64 * kGiB + 1));
    for (const auto &[size, average] : {std::pair{kMiB, 8 << 10},
                                        {kGiB - 1, 8 << 10},
                                        {kGiB, 16 << 10},
                                        {4 * kGiB, 32 << 10},
                                        {16 * kGiB, 32 << 10},
                                        {16 * kGiB + 1, 64 << 10},
                                        {32 * kGiB + 1, 128 << 10},
                                        {64 * kGiB, 128 << 10}}) {
        EXPECT_EQ(ChunkLengths::of(size).value().average, static_cast<std::uint64_t>(average));
    }
}

} // namespace
} // namespace thru
