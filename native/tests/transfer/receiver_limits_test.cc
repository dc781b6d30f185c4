// Messages that a sender may repeat: once for each entry or query, and no more.
#include "engine/memory_watch.h"
#include "transfer/receiving.h"

namespace thru::test {
namespace {

IndexRanges range(std::uint64_t first, std::uint64_t count = 1) {
    return {{.first = first, .count = count}};
}

TEST(ReceiverLimits, AnEntryIsTakenOutOnce) {
    auto receiver = test::offered(*manifest_of({file("a", 1), file("b", 2), file("c", 3)}));
    EXPECT_TRUE(receiver.on_control(Removed{range(2)}));
    EXPECT_TRUE(receiver.on_control(Removed{range(0)}));
    const auto removed = only<ReceiverRemoved>(receiver.take_events());
    ASSERT_EQ(removed.size(), 1u) << "told together";
    EXPECT_EQ(removed[0].ranges, (IndexRanges{{0, 1}, {2, 1}}));
    EXPECT_EQ(refused(receiver, Removed{range(0, 2)}), ErrorCode::PeerProtocol);
    EXPECT_TRUE(receiver.take_events().empty());
}

TEST(ReceiverLimits, WhatFailedIsTakenOutOnceToo) {
    auto receiver = receiving(*manifest_of({file("a", 1), file("b", 2)}));
    receiver.on_entry_failed(0, ErrorCode::DiskIo);
    EXPECT_TRUE(receiver.on_control(Removed{range(0)}));
    EXPECT_EQ(refused(receiver, Removed{range(0)}), ErrorCode::PeerProtocol);
}

TEST(ReceiverLimits, WhatWasNotListedYetIsTakenOutOnceToo) {
    auto receiver = test::offered(*manifest_of({file("a", 1)}));
    EXPECT_TRUE(receiver.on_control(Removed{range(kMaxManifestEntries - 1)}));
    EXPECT_EQ(refused(receiver, Removed{range(kMaxManifestEntries - 1)}), ErrorCode::PeerProtocol);
}

TEST(ReceiverLimits, FailuresOfWhatNobodyWantsTakeLittleMemory) {
    const auto manifest = test::files_of(kMaxManifestEntries, 1);
    auto receiver = receiving(*manifest, {.unwanted = range(0, kMaxManifestEntries)});
    const MemoryWatch memory;
    for (std::uint64_t index = 0; index < kMaxManifestEntries; ++index) {
        ASSERT_TRUE(receiver.on_control(EntryFailed{index, ErrorCode::SourceChanged}));
    }
    EXPECT_LT(memory.grown(), kMaxGrown);
    receiver.want(range(7));
    const auto failed = only<ReceiverEntryFailed>(receiver.take_events());
    ASSERT_EQ(failed.size(), 1u);
    EXPECT_EQ(failed[0].code, ErrorCode::SourceChanged);
}

TEST(ReceiverLimits, AFileHasOneSource) {
    const auto manifest = manifest_of({file("a", 9 * kMiB), file("b", 9 * kMiB)});
    auto receiver = receiving(*manifest);
    EXPECT_TRUE(receiver.on_control(Validator{.index = 0, .validator = {1}}));
    EXPECT_TRUE(receiver.on_control(Validator{.index = 1, .validator = {1}}));
    EXPECT_EQ(refused(receiver, Validator{.index = 0, .validator = {2}}), ErrorCode::PeerProtocol);
}

TEST(ReceiverLimits, AFileThatIsWantedAgainHasAnotherSource) {
    auto receiver = receiving(*manifest_of({file("a", 9 * kMiB)}));
    EXPECT_TRUE(receiver.on_control(Validator{.index = 0, .validator = {1}}));
    receiver.skip(range(0));
    receiver.want(range(0));
    EXPECT_TRUE(receiver.on_control(Validator{.index = 0, .validator = {1}}));
    EXPECT_EQ(refused(receiver, Validator{.index = 0, .validator = {1}}), ErrorCode::PeerProtocol);
}

TEST(ReceiverLimits, AHoleIsLongOrReachesTheEnd) {
    constexpr std::uint64_t kSize = 10 * kMiB + 5;
    const auto manifest = manifest_of({test::sparse_file("a", kSize)});
    auto receiver = receiving(*manifest);
    EXPECT_TRUE(receiver.on_control(Hole{.index = 0, .offset = 0, .length = kMinHoleBytes}));
    EXPECT_TRUE(receiver.on_control(Hole{.index = 0, .offset = kSize - 1, .length = 1}));
    EXPECT_EQ(refused(receiver, Hole{.index = 0, .offset = kMiB, .length = kMinHoleBytes - 1}),
              ErrorCode::PeerProtocol);
}

TEST(ReceiverLimits, AnEntryFailsOnce) {
    auto receiver = receiving(*manifest_of({file("a", 1), file("b", 1)}));
    EXPECT_TRUE(receiver.on_control(EntryFailed{.index = 0, .code = ErrorCode::DiskIo}));
    EXPECT_TRUE(receiver.on_control(EntryFailed{.index = 1, .code = ErrorCode::DiskIo}));
    EXPECT_EQ(refused(receiver, EntryFailed{.index = 0, .code = ErrorCode::DiskIo}),
              ErrorCode::PeerProtocol);
}

TEST(ReceiverLimits, AQuestionHasOneAnswer) {
    auto receiver = receiving(*manifest_of({file("a", 9)}), {.have = {{.index = 0, .offset = 4}}});
    receiver.on_entry_failed(0, ErrorCode::DiskIo);
    EXPECT_TRUE(receiver.on_control(Confirm{0}));
    EXPECT_EQ(refused(receiver, Confirm{0}), ErrorCode::PeerProtocol);
}

} // namespace
} // namespace thru::test
