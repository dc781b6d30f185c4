#include "transfer/sender.h"

#include <algorithm>

#include "transfer/manifests.h"

namespace thru {
namespace {

using test::file;
using test::files_of;
using test::folder;
using test::manifest_of;

constexpr std::uint64_t kMiB = 1 << 20;

/// A sender whose receiver has asked for everything.
Sender sending(std::shared_ptr<const ManifestTable> manifest) {
    Sender sender(std::move(manifest), "me");
    sender.on_manifest_complete();
    EXPECT_TRUE(sender.on_control(Hello{.name = "you"}).has_value());
    EXPECT_TRUE(sender.on_control(Select{}).has_value());
    sender.take_messages();
    sender.take_events();
    return sender;
}

std::vector<SegmentPlan> all_segments(Sender &sender) {
    std::vector<SegmentPlan> plans;
    while (auto plan = sender.next_segment()) {
        plans.push_back(std::move(*plan));
    }
    return plans;
}

ErrorCode refused(Sender &sender, const ControlMessage &message) {
    const auto result = sender.on_control(message);
    EXPECT_FALSE(result.has_value());
    return result ? ErrorCode::Internal : result.error().code;
}

TEST(Sender, GreetsAndOffersWhenTheManifestIsComplete) {
    Sender sender(manifest_of({folder("a"), file("a/b", 7)}), "me");
    auto messages = sender.take_messages();
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(std::get<Hello>(messages[0]).name, "me");
    sender.on_manifest_complete();
    messages = sender.take_messages();
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(std::get<Offer>(messages[0]).files, 1u);
    EXPECT_EQ(std::get<Offer>(messages[0]).folders, 1u);
    EXPECT_EQ(std::get<Offer>(messages[0]).bytes, 7u);
}

TEST(Sender, SendsNothingBeforeItIsAsked) {
    Sender sender(files_of(1, 1), "me");
    sender.on_manifest_complete();
    EXPECT_TRUE(sender.on_control(Hello{.name = "you"}));
    EXPECT_FALSE(sender.next_segment());
    EXPECT_TRUE(sender.on_control(Select{}));
    EXPECT_TRUE(sender.next_segment());
    const auto events = sender.take_events();
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(std::get<SenderGreeted>(events[0]).name, "you");
    EXPECT_TRUE(std::holds_alternative<SenderAccepted>(events[1]));
}

TEST(Sender, CutsALargeFileIntoFullSegments) {
    auto sender = sending(files_of(1, 20 * kMiB));
    const auto plans = all_segments(sender);
    const std::vector<SegmentPlan> expected = {
        {{0, 0, 8 * kMiB}}, {{0, 8 * kMiB, 8 * kMiB}}, {{0, 16 * kMiB, 4 * kMiB}}};
    EXPECT_EQ(plans, expected);
}

TEST(Sender, ArithmeticHoldsBeyondFourGigabytes) {
    constexpr std::uint64_t kSize = (5ULL << 30) + 3;
    auto sender = sending(files_of(1, kSize));
    std::uint64_t next = 0;
    for (const SegmentPlan &plan : all_segments(sender)) {
        ASSERT_EQ(plan.size(), 1u);
        ASSERT_EQ(plan[0].offset, next);
        next += plan[0].length;
    }
    EXPECT_EQ(next, kSize);
}

TEST(Sender, AThousandFilesNeedAsManySegmentsAsOneOfTheirSize) {
    auto many = sending(files_of(1000, kMiB));
    auto one = sending(files_of(1, 1000 * kMiB));
    const auto plans = all_segments(many);
    EXPECT_EQ(plans.size(), all_segments(one).size());
    for (const SegmentPlan &plan : plans) {
        EXPECT_EQ(plan_bytes(plan), kSegmentBytes);
    }
}

TEST(Sender, NeverCutsAFileThatFitsOneSegment) {
    auto sender = sending(files_of(5, 5 * kMiB));
    const auto plans = all_segments(sender);
    ASSERT_EQ(plans.size(), 5u);
    for (const SegmentPlan &plan : plans) {
        EXPECT_EQ(plan.size(), 1u);
        EXPECT_EQ(plan[0].length, 5 * kMiB);
    }
}

TEST(Sender, BatchesTheTailOfALargeFileWithSmallOnes) {
    auto sender = sending(manifest_of({file("large", 9 * kMiB), file("small", kMiB)}));
    const auto plans = all_segments(sender);
    const std::vector<SegmentPlan> expected = {{{0, 0, 8 * kMiB}},
                                               {{0, 8 * kMiB, kMiB}, {1, 0, kMiB}}};
    EXPECT_EQ(plans, expected);
}

TEST(Sender, BoundsThePiecesOfASegment) {
    auto sender = sending(files_of(2 * kMaxPieces + 1, 0));
    const auto plans = all_segments(sender);
    ASSERT_EQ(plans.size(), 3u);
    EXPECT_EQ(plans[0].size(), kMaxPieces);
    EXPECT_EQ(plans[2].size(), 1u);
}

TEST(Sender, SendsEmptyFilesAndNoFolders) {
    auto sender = sending(manifest_of({folder("a"), file("a/empty", 0), folder("a/b")}));
    const std::vector<SegmentPlan> expected = {{{1, 0, 0}}};
    EXPECT_EQ(all_segments(sender), expected);
}

TEST(Sender, PlansTheRestAgainWhenAnEntryCannotBeRead) {
    auto sender = sending(files_of(3, 10));
    const auto plan = sender.next_segment();
    ASSERT_TRUE(plan && plan->size() == 3);
    sender.on_entry_failed(*plan, 1, ErrorCode::PathUnreadable);
    const std::vector<SegmentPlan> expected = {{{0, 0, 10}, {2, 0, 10}}};
    EXPECT_EQ(all_segments(sender), expected);
    const auto messages = sender.take_messages();
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(std::get<EntryFailed>(messages[0]).index, 1u);
    EXPECT_EQ(std::get<EntryFailed>(messages[0]).code, ErrorCode::PathUnreadable);
    const auto events = sender.take_events();
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(std::get<SenderEntryFailed>(events[0]).index, 1u);
}

TEST(Sender, LeavesOutTheRestOfALargeFileThatFailed) {
    auto sender = sending(manifest_of({file("large", 40 * kMiB), file("next", 1)}));
    const auto first = sender.next_segment();
    const auto second = sender.next_segment();
    sender.on_entry_failed(*first, 0, ErrorCode::SourceChanged);
    sender.on_entry_failed(*second, 0, ErrorCode::SourceChanged);
    const std::vector<SegmentPlan> expected = {{{1, 0, 1}}};
    EXPECT_EQ(all_segments(sender), expected);
    EXPECT_EQ(sender.take_messages().size(), 1u);
    EXPECT_EQ(sender.take_events().size(), 1u);
}

TEST(Sender, SkipsWhatTheReceiverCannotWriteAndSaysSoOnce) {
    auto sender = sending(files_of(3, 8 * kMiB));
    const auto first = sender.next_segment();
    EXPECT_TRUE(sender.on_control(EntryFailed{1, ErrorCode::TargetNotWritable}));
    EXPECT_TRUE(sender.on_control(EntryFailed{1, ErrorCode::TargetNotWritable}));
    const std::vector<SegmentPlan> expected = {{{2, 0, 8 * kMiB}}};
    EXPECT_EQ(all_segments(sender), expected);
    EXPECT_TRUE(sender.take_messages().empty());
    EXPECT_EQ(sender.take_events().size(), 1u);
}

TEST(Sender, HearsOfFoldersThatCannotBeMadeBeforeItIsAsked) {
    Sender sender(manifest_of({folder("a"), file("a/b", 1), file("c", 2)}), "me");
    sender.on_manifest_complete();
    EXPECT_TRUE(sender.on_control(Hello{}));
    EXPECT_TRUE(sender.on_control(EntryFailed{0, ErrorCode::TargetNotWritable}));
    EXPECT_TRUE(sender.on_control(EntryFailed{1, ErrorCode::TargetNotWritable}));
    EXPECT_TRUE(sender.on_control(Select{}));
    const std::vector<SegmentPlan> expected = {{{2, 0, 2}}};
    EXPECT_EQ(all_segments(sender), expected);
}

TEST(Sender, SaysGoodbyeWhenTheReceiverIsDone) {
    auto sender = sending(files_of(2, 5));
    EXPECT_TRUE(sender.on_control(Durable{.files = 1, .bytes = 5}));
    EXPECT_TRUE(sender.on_control(Done{.files = 2, .bytes = 10, .renamed = 1}));
    const auto messages = sender.take_messages();
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_FALSE(std::get<Bye>(messages[0]).code);
    const auto events = sender.take_events();
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(std::get<SenderProgress>(events[0]).bytes, 5u);
    EXPECT_EQ(std::get<SenderFinished>(events[1]).totals.renamed, 1u);
    EXPECT_FALSE(sender.next_segment());
    EXPECT_TRUE(sender.on_control(Bye{}));
}

TEST(Sender, NeverTellsOfMoreProgressThanThereIsToMake) {
    auto sender = sending(files_of(2, 5));
    EXPECT_TRUE(sender.on_control(Durable{.files = 3, .bytes = 11}));
    const auto events = sender.take_events();
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(std::get<SenderProgress>(events[0]).files, 2u);
    EXPECT_EQ(std::get<SenderProgress>(events[0]).bytes, 10u);
}

TEST(Sender, EndsWithTheReceiversReason) {
    Sender sender(files_of(1, 1), "me");
    EXPECT_EQ(refused(sender, Bye{ErrorCode::Declined}), ErrorCode::Declined);
}

TEST(Sender, RefusesAnotherVersion) {
    Sender sender(files_of(1, 1), "me");
    EXPECT_EQ(refused(sender, Hello{.version = 2}), ErrorCode::PeerVersion);
}

TEST(Sender, RefusesMessagesOutOfPlace) {
    const auto fresh = [] { return Sender(files_of(2, 5), "me"); };
    auto no_hello = fresh();
    EXPECT_EQ(refused(no_hello, Select{}), ErrorCode::PeerProtocol);
    auto no_offer = fresh();
    EXPECT_TRUE(no_offer.on_control(Hello{}));
    EXPECT_EQ(refused(no_offer, Select{}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(no_offer, EntryFailed{0, ErrorCode::DiskIo}), ErrorCode::PeerProtocol);
    auto offered = fresh();
    offered.on_manifest_complete();
    EXPECT_TRUE(offered.on_control(Hello{}));
    EXPECT_EQ(refused(offered, Hello{}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(offered, Durable{}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(offered, Done{}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(offered, Bye{}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(offered, Offer{}), ErrorCode::PeerProtocol);
    EXPECT_TRUE(offered.on_control(Select{}));
    EXPECT_EQ(refused(offered, Select{}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(offered, Done{.files = 3}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(offered, EntryFailed{2, ErrorCode::DiskIo}), ErrorCode::PeerProtocol);
}

} // namespace
} // namespace thru
