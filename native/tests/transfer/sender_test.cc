#include "transfer/sender.h"

#include <algorithm>

#include "transfer/sending.h"

namespace thru::test {
namespace {

using Plans = std::vector<SegmentPlan>;

TEST(Sender, GreetsAndOffersAtTheFirstCheckpoint) {
    auto sender =
        test::new_sender(manifest_of({folder("a"), file("a/b", 7), test::link("a/c", "b")}));
    auto messages = sender.take_messages();
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(std::get<Hello>(messages[0]).name, "me");
    EXPECT_EQ(std::get<Hello>(messages[0]).id, WireId{7});
    sender.on_checkpoint();
    messages = sender.take_messages();
    ASSERT_EQ(messages.size(), 1u);
    const Offer offer = std::get<Offer>(messages[0]);
    EXPECT_EQ(offer.files, 1u);
    EXPECT_EQ(offer.folders, 1u);
    EXPECT_EQ(offer.links, 1u);
    EXPECT_EQ(offer.bytes, 7u);
}

TEST(Sender, OffersNothingOfWhatWasRemovedBefore) {
    auto sender = test::new_sender(files_of(3, 5));
    sender.on_removed({{.first = 1, .count = 1}});
    sender.on_checkpoint();
    EXPECT_TRUE(only<Removed>(sender.take_messages()).empty());
    EXPECT_TRUE(sender.on_control(Hello{}));
    EXPECT_TRUE(sender.on_control(Request{3}));
    const Plans expected = {{{0, 0, 5}, {2, 0, 5}}};
    EXPECT_EQ(all_segments(sender), expected);
}

TEST(Sender, SendsNothingBeforeItIsAsked) {
    auto sender = test::new_sender(files_of(1, 1));
    sender.on_checkpoint();
    EXPECT_TRUE(sender.on_control(Hello{.name = "you", .id = {3}}));
    EXPECT_FALSE(sender.next_segment());
    EXPECT_TRUE(sender.on_control(Request{1}));
    EXPECT_TRUE(sender.next_segment());
    const auto events = sender.take_events();
    ASSERT_EQ(events.size(), 3u);
    EXPECT_EQ(std::get<SenderGreeted>(events[0]).name, "you");
    EXPECT_EQ(std::get<SenderGreeted>(events[0]).receive, WireId{3});
    EXPECT_TRUE(std::holds_alternative<SenderAccepted>(events[1]));
    EXPECT_EQ(std::get<SenderProgress>(events[2]).total_bytes, 1u);
}

TEST(Sender, SendsTheValidatorBeforeAFileOfSeveralSegments) {
    auto sender = sending(manifest_of({file("small", 8 * kMiB), file("large", 20 * kMiB)}));
    EXPECT_TRUE(sender.next_segment());
    EXPECT_TRUE(sender.take_messages().empty());
    EXPECT_TRUE(sender.next_segment());
    const auto sources = only<Validator>(sender.take_messages());
    ASSERT_EQ(sources.size(), 1u);
    EXPECT_EQ(sources[0].index, 1u);
    EXPECT_EQ(sources[0].validator, test::validator_of(1));
    EXPECT_EQ(all_segments(sender).size(), 2u);
    EXPECT_TRUE(sender.take_messages().empty());
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

TEST(Sender, NeverMixesAPartOfAFileWithOthers) {
    auto sender =
        sending(manifest_of({file("a", 1), file("large", 9 * kMiB), file("b", 2), file("c", 3)}));
    const Plans expected = {
        {{0, 0, 1}}, {{1, 0, 8 * kMiB}}, {{1, 8 * kMiB, kMiB}}, {{2, 0, 2}, {3, 0, 3}}};
    EXPECT_EQ(all_segments(sender), expected);
}

TEST(Sender, BoundsThePiecesOfASegment) {
    auto sender = sending(files_of(2 * kMaxPieces + 1, 0));
    const auto plans = all_segments(sender);
    ASSERT_EQ(plans.size(), 3u);
    EXPECT_EQ(plans[0].size(), kMaxPieces);
    EXPECT_EQ(plans[2].size(), 1u);
}

TEST(Sender, SendsFilesOnly) {
    auto sender = sending(manifest_of({folder("a"), test::gone(), file("a/empty", 0),
                                       test::link("a/l", "empty"), folder("a/b")}));
    const Plans expected = {{{2, 0, 0}}};
    EXPECT_EQ(all_segments(sender), expected);
}

TEST(Sender, PlansTheRestAgainWhenAnEntryCannotBeRead) {
    auto sender = sending(files_of(3, 10));
    const auto plan = sender.next_segment();
    ASSERT_TRUE(plan && plan->size() == 3);
    sender.on_entry_failed(*plan, 1, ErrorCode::PathUnreadable);
    const Plans expected = {{{0, 0, 10}, {2, 0, 10}}};
    EXPECT_EQ(all_segments(sender), expected);
    const auto messages = sender.take_messages();
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(std::get<EntryFailed>(messages[0]).index, 1u);
    EXPECT_EQ(std::get<EntryFailed>(messages[0]).code, ErrorCode::PathUnreadable);
    const auto events = sender.take_events();
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(std::get<SenderEntryFailed>(events[0]).index, 1u);
    EXPECT_EQ(std::get<SenderProgress>(events[1]).total_files, 2u);
}

TEST(Sender, LeavesOutTheRestOfALargeFileThatFailed) {
    auto sender = sending(manifest_of({file("large", 40 * kMiB), file("next", 1)}));
    const auto first = sender.next_segment();
    const auto second = sender.next_segment();
    sender.on_entry_failed(*first, 0, ErrorCode::SourceChanged);
    sender.on_entry_failed(*second, 0, ErrorCode::SourceChanged);
    const Plans expected = {{{1, 0, 1}}};
    EXPECT_EQ(all_segments(sender), expected);
    EXPECT_EQ(only<EntryFailed>(sender.take_messages()).size(), 1u);
    EXPECT_EQ(only<SenderEntryFailed>(sender.take_events()).size(), 1u);
}

TEST(Sender, SkipsWhatTheReceiverCannotWriteAndSaysSoOnce) {
    auto sender = sending(files_of(3, 8 * kMiB));
    EXPECT_TRUE(sender.next_segment());
    EXPECT_TRUE(sender.on_control(EntryFailed{1, ErrorCode::TargetNotWritable}));
    EXPECT_TRUE(sender.on_control(EntryFailed{1, ErrorCode::TargetNotWritable}));
    const Plans expected = {{{2, 0, 8 * kMiB}}};
    EXPECT_EQ(all_segments(sender), expected);
    EXPECT_TRUE(sender.take_messages().empty());
    EXPECT_EQ(only<SenderEntryFailed>(sender.take_events()).size(), 1u);
}

TEST(Sender, HearsOfFoldersThatCannotBeMadeBeforeItIsAsked) {
    auto sender = test::offering(manifest_of({folder("a"), file("a/b", 1), file("c", 2)}));
    EXPECT_TRUE(sender.on_control(EntryFailed{0, ErrorCode::TargetNotWritable}));
    EXPECT_TRUE(sender.on_control(EntryFailed{1, ErrorCode::TargetNotWritable}));
    EXPECT_TRUE(sender.on_control(Request{3}));
    const Plans expected = {{{2, 0, 2}}};
    EXPECT_EQ(all_segments(sender), expected);
}

TEST(Sender, SaysGoodbyeWhenTheReceiverIsDone) {
    auto sender = sending(files_of(2, 5));
    EXPECT_TRUE(sender.on_control(Progress{.files = 1, .bytes = 5}));
    EXPECT_TRUE(sender.on_control(Done{.entries = 2, .files = 2, .bytes = 10, .renamed = 1}));
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

TEST(Sender, KeepsAReceiverThatFollowsUntilThatIsOver) {
    auto sender = sending(files_of(2, 5));
    sender.set_followable(true);
    EXPECT_EQ(only<Follow>(sender.take_messages()).size(), 1u);
    EXPECT_TRUE(sender.on_control(Follow{}));
    EXPECT_TRUE(sender.on_control(Done{.entries = 2, .files = 2, .bytes = 10}));
    EXPECT_TRUE(sender.take_messages().empty());
    EXPECT_EQ(only<SenderInStep>(sender.take_events()).size(), 1u);
    sender.set_followable(false);
    EXPECT_EQ(only<Bye>(sender.take_messages()).size(), 1u);
    EXPECT_EQ(only<SenderFinished>(sender.take_events()).size(), 1u);
}

TEST(Sender, ReleasesAReceiverThatDoesNotFollow) {
    auto sender = sending(files_of(2, 5));
    sender.set_followable(true);
    EXPECT_TRUE(sender.on_control(Done{.entries = 2, .files = 2, .bytes = 10}));
    EXPECT_EQ(only<SenderFinished>(sender.take_events()).size(), 1u);
}

TEST(Sender, KnowsWhatTheReceiverDoesNotWant) {
    auto sender = test::offering(files_of(5, 5));
    EXPECT_TRUE(sender.on_control(Skip{Skip::Why::Unwanted, {{.first = 1, .count = 3}}}));
    EXPECT_TRUE(sender.on_control(Request{5}));
    EXPECT_TRUE(sender.on_control(Skip{Skip::Why::Wanted, {{.first = 1, .count = 1}}}));
    sender.on_removed({{.first = 2, .count = 1}});
    EXPECT_TRUE(sender.on_control(EntryFailed{4, ErrorCode::DiskIo}));
    const SenderProgress progress = only<SenderProgress>(sender.take_events()).back();
    EXPECT_EQ(progress.offered_files, 4u);
    EXPECT_EQ(progress.unwanted_files, 1u);
    EXPECT_EQ(progress.total_files, 2u);
}

TEST(Sender, DoesNotSayGoodbyeWhileThereIsMoreThanTheReceiverKnew) {
    const auto table = files_of(1, 5);
    auto sender = sending(table);
    test::add_all(*table, {file("more", 6)});
    sender.on_checkpoint();
    EXPECT_TRUE(only<Offer>(sender.take_messages()).empty());
    EXPECT_TRUE(sender.on_control(Done{.entries = 1, .files = 1, .bytes = 5}));
    EXPECT_TRUE(sender.take_messages().empty());
    EXPECT_TRUE(sender.on_control(Request{2}));
    const Plans expected = {{{0, 0, 5}, {1, 0, 6}}};
    EXPECT_EQ(all_segments(sender), expected);
    EXPECT_TRUE(sender.on_control(Done{.entries = 2, .files = 2, .bytes = 11}));
    EXPECT_EQ(only<Bye>(sender.take_messages()).size(), 1u);
    EXPECT_EQ(only<SenderFinished>(sender.take_events()).size(), 1u);
}

TEST(Sender, NeverReportsMoreProgressThanPossible) {
    auto sender = sending(files_of(2, 5));
    EXPECT_TRUE(sender.on_control(Progress{.files = 3, .bytes = 11}));
    const auto progress = only<SenderProgress>(sender.take_events());
    ASSERT_EQ(progress.size(), 1u);
    EXPECT_EQ(progress[0].files, 2u);
    EXPECT_EQ(progress[0].bytes, 10u);
    EXPECT_EQ(progress[0].total_files, 2u);
    EXPECT_EQ(progress[0].total_bytes, 10u);
}

TEST(Sender, PausesWhileEitherSideWantsIt) {
    auto sender = sending(files_of(1, 5));
    sender.pause();
    sender.pause();
    EXPECT_EQ(only<Pause>(sender.take_messages()).size(), 1u);
    EXPECT_TRUE(sender.on_control(Pause{.why = Pause::Why::DiskFull, .need = 9}));
    EXPECT_FALSE(sender.next_segment());
    sender.resume();
    EXPECT_EQ(only<Resume>(sender.take_messages()).size(), 1u);
    EXPECT_TRUE(sender.paused());
    EXPECT_FALSE(sender.next_segment());
    EXPECT_TRUE(sender.on_control(Resume{}));
    EXPECT_TRUE(sender.on_control(Resume{}));
    EXPECT_TRUE(sender.next_segment());
    const auto reported = only<SenderPeerPaused>(sender.take_events());
    ASSERT_EQ(reported.size(), 2u);
    EXPECT_EQ(reported[0].pause->need, 9u);
    EXPECT_FALSE(reported[1].pause);
}

TEST(Sender, LeavesRoomWhileTheReceiverWantsIt) {
    auto sender = test::offering(files_of(1, 1));
    EXPECT_FALSE(sender.background());
    EXPECT_TRUE(sender.on_control(Background{Background::Enabled::Yes}));
    EXPECT_TRUE(sender.background());
    EXPECT_TRUE(sender.on_control(Background{Background::Enabled::No}));
    EXPECT_FALSE(sender.background());
}

TEST(Sender, HandsOnTheRateThatTheReceiverWants) {
    auto sender = test::offering(files_of(1, 1));
    EXPECT_TRUE(sender.on_control(Rate{1000}));
    const auto rates = only<Rate>(sender.take_events());
    ASSERT_EQ(rates.size(), 1u);
    EXPECT_EQ(rates[0].bytes_per_second, 1000u);
}

} // namespace
} // namespace thru::test
