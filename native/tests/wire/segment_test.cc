#include "wire/segment.h"

#include <random>

#include <gtest/gtest.h>

#include "support/parsed_segment_header.h"
#include "support/vectors.h"
#include "wire/varint.h"

namespace thru::test {
namespace {

Json to_json(const SegmentPlan &plan) {
    Json json = Json::array();
    for (const auto &piece : plan) {
        json.push_back(
            {{"index", piece.index}, {"offset", piece.offset}, {"length", piece.length}});
    }
    return json;
}

Json parse(ByteView bytes) {
    SegmentHeaderDecoder decoder(true);
    const auto consumed = decoder.feed(bytes);
    if (!consumed) {
        return {{"error", error_name(consumed.error().code)}};
    }
    if (!decoder.done()) {
        return {{"incomplete", true}};
    }
    Json json = {{"plan", to_json(decoder.plan())}, {"consumed", *consumed}};
    if (decoder.compressed()) {
        json["compressed"] = true;
    }
    return json;
}

const Json kIncomplete = {{"incomplete", true}};
const Json kRefusedHeader = {{"error", "E_PEER_PROTOCOL"}};

SegmentPlan full_plan() {
    SegmentPlan plan;
    for (std::uint64_t index = 0; index < kMaxPieces; ++index) {
        plan.push_back({.index = 3 * index, .offset = 0, .length = 2048});
    }
    return plan;
}

TEST(Segment, AgreesWithTheVectors) {
    for (const auto &vector : test::read_vectors("segment")) {
        SCOPED_TRACE(vector["name"]);
        auto expected = vector["expect"];
        for (const auto *of_data : {"data_hash", "uncompressed", "block_error"}) {
            expected.erase(of_data);
        }
        EXPECT_EQ(parse(test::bytes_of(vector)), expected);
    }
}

TEST(Segment, ACompressedOneIsRefusedUnlessItWasAllowed) {
    const SegmentPlan plan = {{3, 0, 4}};
    Bytes bytes;
    encode_segment_header(plan, bytes);
    const auto header = bytes;
    bytes.front() = static_cast<std::uint8_t>(StreamType::CompressedSegment);
    SegmentHeaderDecoder plain_only;
    EXPECT_FALSE(plain_only.feed(bytes));
    SegmentHeaderDecoder both(true);
    EXPECT_EQ(both.feed(bytes), bytes.size());
    EXPECT_TRUE(both.compressed());
    EXPECT_EQ(both.plan(), plan);
    // The hash covers the header of an uncompressed segment.
    EXPECT_EQ(both.bytes(), header);
}

TEST(Segment, AHeaderCutAnywhereWaits) {
    const SegmentPlan plan = {{0, 0, 6000}, {1, 1ULL << 40, 70'000}, {900'000, 0, 0}};
    Bytes bytes;
    encode_segment_header(plan, bytes);
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
        EXPECT_EQ(parse(ByteView{bytes}.first(cut)), kIncomplete) << cut;
    }
}

TEST(Segment, AHeaderThatArrivesByteByByteIsReadOnce) {
    const auto plan = full_plan();
    Bytes bytes;
    encode_segment_header(plan, bytes);
    const auto header_bytes = bytes.size();
    bytes.push_back(0xee);
    SegmentHeaderDecoder decoder;
    for (std::size_t place = 0; place < header_bytes; ++place) {
        ASSERT_FALSE(decoder.done()) << place;
        EXPECT_EQ(decoder.feed(ByteView{bytes}.subspan(place, 1)), std::size_t{1});
    }
    ASSERT_TRUE(decoder.done());
    EXPECT_EQ(decoder.plan(), plan);
    EXPECT_EQ(decoder.bytes(), Bytes(bytes.begin(), bytes.end() - 1));
}

TEST(Segment, ACountAloneTakesNoMemory) {
    Bytes bytes = {static_cast<std::uint8_t>(StreamType::Segment)};
    append_varint(bytes, kMaxPieces);
    SegmentHeaderDecoder decoder;
    EXPECT_EQ(decoder.feed(bytes), bytes.size());
    EXPECT_EQ(decoder.plan().capacity(), 0U);
    EXPECT_LE(decoder.bytes().capacity(), bytes.size());
}

TEST(Segment, AnUnfinishedHeaderTakesNoMoreThanTheLargest) {
    Bytes bytes = {static_cast<std::uint8_t>(StreamType::Segment)};
    append_varint(bytes, kMaxPieces);
    SegmentHeaderDecoder decoder;
    ASSERT_TRUE(decoder.feed(bytes));
    // The longest encodings, which are allowed.
    const Bytes piece = {0x80, 0, 0, 1, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 1};
    for (std::size_t pieces = 1; pieces < kMaxPieces; ++pieces) {
        ASSERT_TRUE(decoder.feed(piece));
    }
    EXPECT_FALSE(decoder.done());
    EXPECT_LE(decoder.bytes().capacity(), kMaxSegmentHeaderBytes);
}

TEST(Segment, TheLargestPlanFits) {
    const auto plan = full_plan();
    ASSERT_EQ(plan_bytes(plan), kSegmentBytes);
    Bytes bytes;
    encode_segment_header(plan, bytes);
    EXPECT_LE(bytes.size(), kMaxSegmentHeaderBytes);
    EXPECT_EQ(parse(bytes)["plan"], to_json(plan));
}

TEST(Segment, AHeaderThatIsTooLongIsRefusedHoweverItArrives) {
    // Every number in its longest encoding: 24 bytes per piece.
    Bytes bytes = {static_cast<std::uint8_t>(StreamType::Segment)};
    append_varint(bytes, kMaxPieces);
    for (std::size_t piece = 0; piece < kMaxPieces; ++piece) {
        for (const std::uint64_t value : {1, 0, 1}) {
            append_big_endian(bytes, 3ULL << 62 | value, 8);
        }
    }
    EXPECT_EQ(parse(bytes), kRefusedHeader);
    EXPECT_EQ(parse(ByteView{bytes}.first(kMaxSegmentHeaderBytes)), kRefusedHeader);
    EXPECT_EQ(parse(ByteView{bytes}.first(kMaxSegmentHeaderBytes - 1)), kIncomplete);
}

TEST(Segment, RandomPlansComeBack) {
    std::mt19937_64 random{20260101};
    const auto below = [&](std::uint64_t bound) { return random() % bound; };
    for (int round = 0; round < 500; ++round) {
        SegmentPlan plan;
        std::uint64_t index = below(1000);
        const auto pieces = 1 + below(200);
        for (std::uint64_t piece = 0; piece < pieces; ++piece) {
            const auto length = below(kSegmentBytes / pieces);
            plan.push_back(
                {.index = index, .offset = below(kMaxVarint - length), .length = length});
            index += 1 + below(1ULL << below(30));
        }
        Bytes bytes;
        encode_segment_header(plan, bytes);
        const auto header_bytes = bytes.size();
        bytes.resize(bytes.size() + below(3), 0xee);
        SegmentHeaderDecoder decoder;
        EXPECT_EQ(decoder.feed(bytes), header_bytes);
        EXPECT_EQ(decoder.plan(), plan);
    }
}

} // namespace
} // namespace thru::test
