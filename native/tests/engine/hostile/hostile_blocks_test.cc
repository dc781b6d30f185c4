// Compressed segments whose blocks are wrong end the receive, and right ones arrive.
#include <filesystem>

#include <gtest/gtest.h>

#include "compression/zstd.h"
#include "engine/hostile/hostile_messages.h"
#include "engine/hostile/hostile_sender.h"
#include "fs/disk.h"
#include "support/segments.h"
#include "wire/varint.h"

namespace thru {
namespace {

class HostileBlocks : public testing::Test {
protected:
    HostileBlocks() {
        evil.offer({file("a.txt", kText.size())});
        evil.receiver.wait_for<OfferEvent>();
        evil.accept();
        evil.wait_for<Request>();
    }
    /// A compressed segment with the whole file in one block.
    void send_block(ByteView block) {
        Bytes stream = header;
        stream.front() = static_cast<std::uint8_t>(StreamType::CompressedSegment);
        append_varint(stream, block.size());
        append_bytes(stream, block);
        evil.stream(std::move(stream));
    }
    void expect_refused() {
        EXPECT_EQ(evil.receiver.wait_for<FailedEvent>().error.code, ErrorCode::PeerProtocol);
        evil.receiver.close();
        EXPECT_FALSE(std::filesystem::exists(evil.target() / "a.txt"));
    }

    static inline const std::string kText = std::string(100'000, 'a');
    HostileSenderTest evil;
    Bytes header = [] {
        Bytes bytes;
        encode_segment_header({{0, 0, kText.size()}}, bytes);
        return bytes;
    }();
    Bytes plain = test::data_and_hash(header, kText);
};

TEST_F(HostileBlocks, RightOnesArrive) {
    send_block(*compressed(plain));
    EXPECT_EQ(evil.wait_for<Done>().files, 1U);
    EXPECT_EQ(test::read_file(evil.target() / "a.txt"), kText);
}

TEST_F(HostileBlocks, UncompressedOnesArrive) {
    send_block(plain);
    EXPECT_EQ(evil.wait_for<Done>().files, 1U);
}

TEST_F(HostileBlocks, TheHashIsThatOfTheUncompressedSegment) {
    plain.back() ^= 1;
    send_block(*compressed(plain));
    EXPECT_EQ(evil.wait_for<Resend>().index, 0U);
}

TEST_F(HostileBlocks, ABombIsRefused) {
    plain.resize(50'000'000, 'a');
    send_block(*compressed(plain));
    expect_refused();
}

TEST_F(HostileBlocks, BytesThatAreNotCompressedAreRefused) {
    send_block(Bytes(1000, 7));
    expect_refused();
}

TEST_F(HostileBlocks, ABlockLongerThanItsDataIsRefused) {
    plain.push_back(0);
    send_block(plain);
    expect_refused();
}

TEST_F(HostileBlocks, TwoFramesInABlockAreRefused) {
    auto block = *compressed(ByteView{plain}.first(plain.size() / 2));
    append_bytes(block, *compressed(ByteView{plain}.subspan(plain.size() / 2)));
    send_block(block);
    expect_refused();
}

TEST_F(HostileBlocks, BytesAfterTheLastBlockAreRefused) {
    Bytes stream = header;
    stream.front() = static_cast<std::uint8_t>(StreamType::CompressedSegment);
    const auto block = *compressed(plain);
    append_varint(stream, block.size());
    append_bytes(stream, block);
    stream.push_back(0x40);
    evil.stream(std::move(stream));
    expect_refused();
}

TEST_F(HostileBlocks, AStreamThatEndsInABlockIsRefused) {
    auto block = *compressed(plain);
    Bytes stream = header;
    stream.front() = static_cast<std::uint8_t>(StreamType::CompressedSegment);
    append_varint(stream, block.size());
    append_bytes(stream, ByteView{block}.first(block.size() / 2));
    evil.stream(std::move(stream));
    expect_refused();
}

} // namespace
} // namespace thru
