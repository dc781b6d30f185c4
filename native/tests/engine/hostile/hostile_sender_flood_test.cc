// A sender that floods the receiver: the receiver's memory stays bounded, it keeps answering, and
// breaking a limit ends the connection.
#include <atomic>
#include <string>

#include <gtest/gtest.h>

#include "engine/hostile/sender_flood.h"
#include "support/segments.h"
#include "wire/varint.h"

namespace thru {
namespace {

std::vector<ManifestEntry> files(std::uint64_t count, std::uint64_t size) {
    std::vector<ManifestEntry> entries;
    for (std::uint64_t index = 0; index < count; ++index) {
        entries.push_back(file("f" + std::to_string(index), size));
    }
    return entries;
}

/// Limits the data that the receiver accepts ahead of a busy disk to the minimum.
class SmallWindowFlood : public SenderFlood {
protected:
    SmallWindowFlood() : SenderFlood({.connection_window = Transport::kMinChosenWindow}) {}
};

TEST_F(SenderFlood, RemovingEntriesOneByOneIsReportedNowAndThen) {
    constexpr std::uint64_t kEntries = 60'000;
    constexpr std::uint64_t kItems = 1'000;
    std::vector<ManifestEntry> entries;
    for (std::uint64_t item = 0; item < kItems; ++item) {
        const auto name = std::to_string(item) + std::string(240, 'n');
        for (std::uint64_t index = 0; index < kEntries / kItems; ++index) {
            entries.push_back(file(name + "/" + std::to_string(index), 4));
        }
    }
    offer(entries);
    const MemoryWatch memory;
    // Removes every other entry, which gives the most ranges.
    evil.flood_control(kEntries / 2, [](std::uint64_t number, Bytes &out) {
        encode(Removed{range(2 * number)}, out);
    });
    expect_answering();
    evil.receiver.wait_for<OfferEvent>(
        [](const OfferEvent &event) { return event.files == kEntries / 2; });
    EXPECT_LT(evil.receiver.count<OfferEvent>(), kEntries / 100);
    EXPECT_LT(memory.grown(), kMaxGrown);
    EXPECT_EQ(failures(), 0U);
}

TEST_F(SenderFlood, HolesAreLimitedByTheDisk) {
    const auto holes = many(20'000);
    auto sparse = file("sparse", (holes + 1) * kMinHoleBytes);
    sparse.sparse = true;
    offer({sparse});
    accept();
    const MemoryWatch memory;
    EXPECT_EQ(evil.flood_control(holes,
                                 [](std::uint64_t number, Bytes &out) {
                                     encode(Hole{.index = 0,
                                                 .offset = number * kMinHoleBytes,
                                                 .length = kMinHoleBytes},
                                            out);
                                 }),
              holes);
    expect_answering();
    EXPECT_LT(memory.grown(), kMaxGrown);
    EXPECT_EQ(failures(), 0U);
}

TEST_F(SenderFlood, PausingAndGoingOnForEverEndsIt) {
    offer(files(1, 4));
    const MemoryWatch memory;
    EXPECT_LT(evil.flood_control(many(1'000'000),
                                 [](std::uint64_t number, Bytes &out) {
                                     encode(number % 2 == 0 ? ControlMessage{Pause{}} : Resume{},
                                            out);
                                 }),
              many(1'000'000));
    expect_dropped();
    EXPECT_LT(memory.grown(), kMaxGrown);
}

TEST_F(SenderFlood, ReportsOfALargeOfferDoNotDelayTheEndOfAReceive) {
    constexpr std::uint64_t kEntries = 200'000;
    constexpr std::uint64_t kNews = kMaxLeftOutMessages / 2;
    offer(files(kEntries, 1));
    evil.receiver.post(
        Accept{HostileSenderTest::kReceive, evil.target().string(), {}, {.only = {"f0"}}});
    evil.wait_for<Request>();
    evil.segment({{.index = 0, .offset = 0, .length = 1}}, "e");
    evil.wait_for<Done>();
    // Summing up takes longer than the arrival of the next packets.
    evil.flood_control(kNews, [](std::uint64_t number, Bytes &out) {
        encode(LeftOut{.reasons = {{.code = ErrorCode::PathUnreadable, .entries = number + 1}}},
               out);
    });
    evil.control(Hello{});
    EXPECT_EQ(evil.receiver.wait_for<FinishedEvent>().files, 1U);
    EXPECT_EQ(evil.wait_for_end(), ErrorCode::PeerProtocol);
    expect_answering();
}

TEST_F(SenderFlood, ASegmentForEachSmallFileWaitsForTheDisk) {
    const auto count = many(1'500);
    offer(files(count, 1));
    accept();
    const MemoryWatch memory;
    EXPECT_EQ(evil.flood_streams(count,
                                 [](std::uint64_t index, Bytes &out) {
                                     out = test::segment_stream(
                                         {{.index = index, .offset = 0, .length = 1}}, "e");
                                 }),
              count);
    expect_answering();
    EXPECT_EQ(evil.wait_for<Done>().files, count);
    EXPECT_LT(memory.grown(), kMaxGrown);
}

TEST_F(SenderFlood, SegmentsThatNeverEndTakeLittleMemory) {
    // One more stream carries the manifest.
    constexpr std::uint64_t kStreams = 255;
    constexpr std::uint64_t kSize = 300'000;
    offer(files(kStreams, kSize));
    accept();
    const MemoryWatch memory;
    EXPECT_EQ(evil.flood_streams(
                  kStreams,
                  [](std::uint64_t number, Bytes &out) {
                      encode_segment_header({{.index = number, .offset = 0, .length = kSize}}, out);
                      out.push_back('e');
                  },
                  false),
              kStreams);
    // When this is refused, all earlier data has been read.
    evil.control(Confirm{0});
    expect_dropped();
    EXPECT_LT(memory.grown(), kMaxGrown);
}

/// A header of kMaxPieces one-byte files, as long as it can be.
void longest_header(Bytes &out) {
    const auto append_long = [&out](std::uint8_t tag, std::uint8_t length, std::uint8_t value) {
        out.push_back(tag);
        out.resize(out.size() + length - 2);
        out.push_back(value);
    };
    out.push_back(static_cast<std::uint8_t>(StreamType::Segment));
    append_varint(out, kMaxPieces);
    for (std::size_t piece = 0; piece < kMaxPieces; ++piece) {
        append_long(0x80, 4, piece == 0 ? 0 : 1);
        append_long(0xc0, 8, 0);
        append_long(0x80, 4, 1);
    }
}

TEST_F(SenderFlood, HeadersBeforeAnythingWasAskedForEndIt) {
    offer(files(1, 4));
    const MemoryWatch memory;
    evil.flood_streams(
        255,
        [](std::uint64_t, Bytes &out) {
            longest_header(out);
            out.pop_back();
        },
        false);
    expect_dropped();
    EXPECT_LT(memory.grown(), kMaxGrown);
}

TEST_F(SenderFlood, HeadersOfRemovedEntriesTakeLittleMemory) {
    constexpr std::uint64_t kStreams = 255;
    offer(files(kMaxPieces + 1, 1));
    accept();
    evil.control(Removed{range(0, kMaxPieces)});
    evil.receiver.wait_for<OfferEvent>([](const OfferEvent &event) { return event.files == 1; });
    const MemoryWatch memory;
    EXPECT_EQ(evil.flood_streams(
                  kStreams, [](std::uint64_t, Bytes &out) { longest_header(out); }, false),
              kStreams);
    evil.control(Confirm{0});
    expect_dropped();
    // Both ends are in this process, and the sender keeps sent data until it is acknowledged.
    Bytes sent;
    longest_header(sent);
    EXPECT_LT(memory.grown(), kMaxGrown + kStreams * sent.size());
}

TEST_F(SenderFlood, RemovingEveryOtherEntryTakesLittleMemory) {
    offer(files(1, 4));
    const MemoryWatch memory;
    // Both ends are in this process, and the sender keeps sent data until it is acknowledged.
    std::atomic<std::uint64_t> sent = 0;
    evil.flood_control(many(kMaxManifestEntries / 2), [&sent](std::uint64_t number, Bytes &out) {
        const auto before = out.size();
        encode(Removed{range(2 * number + 1)}, out);
        sent += out.size() - before;
    });
    expect_answering();
    EXPECT_LT(memory.grown(), kMaxGrown + sent);
    EXPECT_EQ(failures(), 0U);
}

TEST_F(SmallWindowFlood, RemovedTextsTakeNoMemory) {
    constexpr std::uint64_t kTexts = 8;
    constexpr std::uint64_t kStreams = 40;
    std::vector<ManifestEntry> entries;
    SegmentPlan plan;
    for (std::uint64_t index = 0; index < kTexts; ++index) {
        auto text = file("text " + std::to_string(index), kMaxTextBytes);
        text.text = true;
        entries.push_back(text);
        plan.push_back({.index = index, .offset = 0, .length = kMaxTextBytes});
    }
    entries.push_back(file("never comes", 4));
    offer(entries);
    accept();
    evil.control(Removed{range(0, kTexts)});
    evil.receiver.wait_for<OfferEvent>([](const OfferEvent &event) { return event.files == 1; });
    const MemoryWatch memory;
    EXPECT_EQ(evil.flood_streams(
                  kStreams,
                  [&](std::uint64_t, Bytes &out) {
                      encode_segment_header(plan, out);
                      out.resize(out.size() + kTexts * kMaxTextBytes - 1, 'e');
                  },
                  false),
              kStreams);
    evil.control(Confirm{0});
    expect_dropped();
    // Each end also holds a window of 16 MiB and a stream or two. Kept texts would take 320 MiB.
    EXPECT_LT(memory.grown() / 3, kMaxGrown);
}

TEST_F(SenderFlood, AStreamMayEndAfterAFullChunk) {
    constexpr std::uint64_t kSize = kChunkBytes - kSegmentHashBytes;
    offer(files(1, kSize));
    accept();
    evil.stream(
        test::segment_stream({{.index = 0, .offset = 0, .length = kSize}}, std::string(kSize, 'e')),
        true, true);
    EXPECT_EQ(evil.wait_for<Done>().files, 1U);
}

} // namespace
} // namespace thru
