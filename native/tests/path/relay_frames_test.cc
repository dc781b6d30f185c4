#include "path/relay/relay_frames.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "support/turn_messages.h"

namespace thru::test {
namespace {

/// ChannelData with `size` bytes, padded for a stream.
Bytes padded(std::size_t size) {
    auto bytes = channel_data(kFirstTurnChannel, Bytes(size, test::kQuicByte));
    bytes.resize((bytes.size() + kStreamAlignment - 1) / kStreamAlignment * kStreamAlignment);
    return bytes;
}

TEST(RelayFrames, AStreamIsCutWhereItsMessagesEndHoweverItArrives) {
    const std::vector<Bytes> messages{
        stun_header(kRefreshSuccess), padded(0), padded(1), padded(4), padded(1447),
        stun_header(kRefreshSuccess)};
    Bytes stream;
    for (const auto &each : messages) {
        stream.insert(stream.end(), each.begin(), each.end());
    }
    for (std::size_t piece = 1; piece <= stream.size(); ++piece) {
        RelayFrames frames;
        std::vector<Bytes> cut;
        for (std::size_t at = 0; at < stream.size(); at += piece) {
            const auto size = std::min(piece, stream.size() - at);
            ASSERT_TRUE(frames.receive(ByteView{stream}.subspan(at, size), [&](ByteView frame) {
                cut.emplace_back(frame.begin(), frame.end());
            }));
        }
        ASSERT_EQ(cut, messages) << piece;
    }
}

TEST(RelayFrames, WhatIsNoTurnEndsTheStream) {
    const auto refuses = [](const Bytes &bytes) {
        RelayFrames frames;
        return !frames.receive(bytes, [](ByteView) { FAIL(); });
    };
    EXPECT_TRUE(refuses({0x80, 0, 0, 0}));
    EXPECT_TRUE(refuses({0xff, 0xff, 0xff, 0xff}));
    // A STUN length is a multiple of four.
    EXPECT_TRUE(refuses({0, 1, 0, 3}));
    RelayFrames frames;
    EXPECT_TRUE(frames.receive(Bytes{0}, [](ByteView) { FAIL(); }));
    EXPECT_FALSE(frames.receive(Bytes{1, 0, 3}, [](ByteView) { FAIL(); }));
}

TEST(RelayFrames, OnlyAnAllocateRequestIsOne) {
    const auto first = parse_allocate_request(stun_header(0x0003));
    ASSERT_TRUE(first);
    EXPECT_FALSE(first->user);
    const auto request = test::allocate_request("dana");
    EXPECT_EQ(parse_allocate_request(request)->user, "dana");
    EXPECT_FALSE(parse_allocate_request(ByteView{request}.first(request.size() - 1)));
    EXPECT_FALSE(parse_allocate_request(stun_header(kRefreshSuccess)));
    EXPECT_FALSE(parse_allocate_request(padded(20)));
    EXPECT_FALSE(parse_allocate_request({}));
    auto longer_than_it_is = request;
    longer_than_it_is[23] = 200;
    EXPECT_FALSE(parse_allocate_request(longer_than_it_is));
}

} // namespace
} // namespace thru::test
