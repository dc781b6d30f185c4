// A sender floods a receiver that writes its one file to a stream of its process.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "engine/hostile/sender_flood.h"
#include "engine/output_pipe_posix.h"
#include "fs/disk.h"

namespace thru {
namespace {

constexpr std::uint64_t kBlock = kMinHoleBytes;

/// Outlives the engine, which may write to the pipe until it ends.
class OutputOfEngine {
protected:
    OutputPipe output;
};

class OutputFlood : protected OutputOfEngine, public SenderFlood {
protected:
    OutputFlood() : SenderFlood({.connection_window = Transport::kMinChosenWindow}) {}

    void accept_file(std::uint64_t blocks) {
        auto sparse = file("sparse", blocks * kBlock);
        sparse.sparse = true;
        offer({sparse});
        evil.receiver.post(Accept{.session = HostileSenderTest::kReceive,
                                  .directory = {},
                                  .options = {},
                                  .selection = {},
                                  .auto_accept = std::nullopt,
                                  .output = output.writer()});
        evil.wait_for<Request>();
    }
    void hole(std::uint64_t block) {
        evil.control(Hole{.index = 0, .offset = block * kBlock, .length = kBlock});
    }
    void data(std::uint64_t block, const std::string &content) {
        evil.segment({{.index = 0, .offset = block * kBlock, .length = kBlock}},
                     content.substr(block * kBlock, kBlock));
    }
};

TEST_F(OutputFlood, HolesMayOvertakeTheDataBetweenThem) {
    constexpr std::uint64_t kPairs = 200;
    accept_file(2 * kPairs);
    auto content = test::noise(2 * kPairs * kBlock, 1);
    for (std::uint64_t pair = 0; pair < kPairs; ++pair) {
        std::fill_n(content.begin() + static_cast<std::ptrdiff_t>((2 * pair + 1) * kBlock), kBlock,
                    '\0');
        hole(2 * pair + 1);
    }
    expect_answering();
    auto read = output.read_all(content.size());
    for (std::uint64_t pair = 0; pair < kPairs; ++pair) {
        data(2 * pair, content);
    }
    evil.resend_until_done(content);
    EXPECT_TRUE(read.get() == content);
}

TEST_F(OutputFlood, HolesBehindAReaderThatTakesNothingTakeLittleMemory) {
    const auto holes = many(400'000);
    accept_file(holes + 64);
    const std::string first(16 * kBlock, 'e');
    evil.segment({{.index = 0, .offset = 0, .length = first.size()}}, first);
    const MemoryWatch memory;
    EXPECT_EQ(evil.flood_control(
                  holes,
                  [](std::uint64_t number, Bytes &out) {
                      encode(Hole{.index = 0, .offset = (number + 32) * kBlock, .length = kBlock},
                             out);
                  }),
              holes);
    expect_answering();
    EXPECT_LT(memory.grown(), kMaxGrown);
    EXPECT_EQ(failures(), 0U);
}

TEST_F(OutputFlood, SegmentsBehindAGapComeAgain) {
    constexpr std::uint64_t kBlocks = 200;
    accept_file(kBlocks);
    const auto content = test::noise(kBlocks * kBlock, 1);
    for (std::uint64_t block = 1; block < kBlocks; ++block) {
        data(block, content);
    }
    evil.wait_for<Resend>();
    auto read = output.read_all(content.size());
    data(0, content);
    evil.resend_until_done(content);
    EXPECT_TRUE(read.get() == content);
}

/// Once data was requested again, bytes may arrive twice.
TEST_F(OutputFlood, CopiesOfKeptSegmentsAreNotCounted) {
    constexpr std::uint64_t kBlocks = 300;
    accept_file(kBlocks);
    const auto content = test::noise(kBlocks * kBlock, 1);
    Bytes unfinished;
    encode_segment_header({{.index = 0, .offset = (kBlocks - 1) * kBlock, .length = kBlock}},
                          unfinished);
    evil.stream(std::move(unfinished), false);
    for (std::uint64_t block = 1; block < 200; ++block) {
        data(block, content);
    }
    evil.wait_for<Resend>();
    for (std::uint64_t copy = 0; copy < 400; ++copy) {
        data(1, content);
    }
    expect_answering();
    EXPECT_EQ(failures(), 0U);
}

} // namespace
} // namespace thru
