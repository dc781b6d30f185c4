// A receiver that floods the sender: the sender's memory stays bounded, it keeps serving others,
// and breaking a limit ends the connection.

#include <gtest/gtest.h>

#include "engine/hostile/hostile_messages.h"
#include "engine/hostile/hostile_share.h"
#include "engine/memory_watch.h"
#include "wire/varint.h"

namespace thru {
namespace {

Flood::Make in_turn(std::vector<ControlMessage> messages) {
    return [messages = std::move(messages)](std::uint64_t number, Bytes &out) {
        encode(messages[number % messages.size()], out);
    };
}

class ReceiverFlood : public HostileShare {
protected:
    /// Selects everything, then sends these messages repeatedly.
    void expect_dropped(std::vector<ControlMessage> messages) {
        const auto evil = hostile();
        greet(*evil);
        evil->control(Request{entries()});
        const MemoryWatch memory;
        const auto count = many(1'000'000);
        EXPECT_LT(evil->flood(count, in_turn(std::move(messages))), count);
        EXPECT_EQ(failure_of(*evil), ErrorCode::PeerProtocol);
        EXPECT_EQ(evil->wait_for_end().code, ErrorCode::PeerProtocol);
        EXPECT_LT(memory.grown(), kMaxGrown);
        expect_still_serving();
    }
};

TEST_F(ReceiverFlood, PausingAndGoingOnForEverEndsIt) {
    share_files();
    expect_dropped({Pause{}, Resume{}});
}

TEST_F(ReceiverFlood, FailuresOfTheSameEntryEndIt) {
    share_files();
    expect_dropped({EntryFailed{.index = 1, .code = ErrorCode::DiskIo}});
}

TEST_F(ReceiverFlood, ChangingAChoiceOverAndOverDelaysNobody) {
    share_files();
    const auto evil = hostile();
    greet(*evil);
    evil->control(Pause{});
    evil->control(Request{entries()});
    const auto file = range(entries() - 1);
    const auto count = many(100'000);
    const MemoryWatch memory;
    EXPECT_EQ(evil->flood(count, in_turn({Skip{.why = Skip::Why::Unwanted, .ranges = file},
                                          Skip{.why = Skip::Why::Wanted, .ranges = file}})),
              count);
    expect_still_serving();
    EXPECT_FALSE(failed(*evil));
    EXPECT_LT(memory.grown(), kMaxGrown);
}

TEST_F(ReceiverFlood, BeginningsOfAllFilesAreComparedOneByOne) {
    constexpr std::uint64_t kFiles = 3'000;
    constexpr std::uint64_t kSize = 100;
    for (std::uint64_t number = 0; number < kFiles; ++number) {
        pair().write_source("f" + std::to_string(number), kSize);
    }
    share();
    const auto evil = hostile();
    greet(*evil);
    const MemoryWatch memory;
    evil->flood(kFiles, [](std::uint64_t number, Bytes &out) {
        encode(Have{.index = number + 1, .offset = kSize, .hash_begin = 0, .hash = {}}, out);
    });
    evil->control(Skip{.why = Skip::Why::Unwanted, .ranges = range(2, kFiles - 1)});
    EXPECT_EQ(evil->wait_for<Restart>().index, 1U);
    EXPECT_LT(memory.grown(), kMaxGrown);
    EXPECT_FALSE(failed(*evil));
    evil->control(Have{.index = 1});
    EXPECT_EQ(failure_of(*evil), ErrorCode::PeerProtocol);
}

TEST_F(ReceiverFlood, SegmentsOfAByteThatNobodyAcknowledgesTakeFewBytes) {
    constexpr std::uint64_t kSegments = 2'000;
    constexpr std::uint64_t kUnderWay = 256;
    // Includes the segment's header and hash.
    constexpr std::uint64_t kMinBytes = 34;
    constexpr std::uint64_t kMaxBytes = 64;
    share_files();
    const auto evil = hostile();
    greet(*evil);
    evil->control(Pause{});
    evil->control(Request{entries()});
    evil->flood(kSegments, in_turn({Resend{.index = entries() - 1, .offset = 0, .length = 1}}));
    evil->allow_streams(kSegments);
    std::uint64_t progress = 0;
    const auto transferred = [&] {
        evil->control(Progress{.files = 0, .bytes = ++progress});
        return pair()
            .sender
            .wait_for<ProgressEvent>([&](const ProgressEvent &event) {
                return event.peer == evil->peer() && event.bytes == progress;
            })
            .transferred;
    };
    EXPECT_EQ(transferred(), 0U);
    evil->set_deaf(true);
    const MemoryWatch memory;
    evil->control(Resume{});
    auto sent = transferred();
    while (sent < kUnderWay * kMinBytes) {
        sent = transferred();
    }
    EXPECT_LT(transferred(), kUnderWay * kMaxBytes);
    EXPECT_LT(memory.grown(), kMaxGrown);
    evil->set_deaf(false);
    evil->wait_for_bytes(kSegments * kMinBytes);
    EXPECT_FALSE(failed(*evil));
    expect_still_serving();
}

TEST_F(ReceiverFlood, TheEndOfItsControlStreamEndsIt) {
    share_files();
    const auto evil = hostile();
    greet(*evil);
    evil->end_control();
    EXPECT_EQ(failure_of(*evil), ErrorCode::PeerProtocol);
    const auto other = hostile();
    greet(*other);
    other->reset_control();
    EXPECT_EQ(failure_of(*other), ErrorCode::PeerProtocol);
    expect_still_serving();
}

} // namespace
} // namespace thru
