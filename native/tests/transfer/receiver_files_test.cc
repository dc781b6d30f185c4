// Files that are resumed, resent, sparse, skipped, wanted or removed.
#include "transfer/receiving.h"

namespace thru::test {
namespace {

using Indexes = std::vector<std::uint64_t>;

IndexRanges just(std::uint64_t index) { return {{.first = index, .count = 1}}; }

ReceiverChoices having(std::uint64_t offset) { return {.have = {{.index = 0, .offset = offset}}}; }

std::size_t asked_again(Receiver &receiver) {
    return only<Resend>(receiver.take_messages()).size();
}

TEST(Receiver, CompletesAFileThatBeganEarlierOnceThatIsConfirmed) {
    auto receiver = receiving(*manifest_of({file("a", 20)}), having(12));
    EXPECT_EQ(receiver.totals().bytes, 12u);
    receive(receiver, {{0, 12, 8}});
    EXPECT_TRUE(told_whole(receiver).empty());
    EXPECT_TRUE(receiver.on_control(Confirm{0}));
    EXPECT_EQ(told_whole(receiver), Indexes{0});
    EXPECT_EQ(receiver.totals().bytes, 20u);
}

TEST(Receiver, CompletesAFileThatWasAllThereOnceThatIsConfirmed) {
    for (const std::uint64_t size : {std::uint64_t{20}, std::uint64_t{0}}) {
        auto receiver = receiving(*manifest_of({file("a", size)}), having(size));
        EXPECT_TRUE(told_whole(receiver).empty());
        EXPECT_TRUE(receiver.on_control(Confirm{0}));
        EXPECT_EQ(told_whole(receiver), Indexes{0});
    }
}

TEST(Receiver, DropsABeginningThatTheSenderDoesNotConfirm) {
    for (const std::uint64_t size : {std::uint64_t{20}, std::uint64_t{0}}) {
        auto receiver = receiving(*manifest_of({file("a", size)}), having(size));
        EXPECT_TRUE(receiver.on_control(Restart{0}));
        EXPECT_EQ(only<ReceiverRestarted>(receiver.take_events()).size(), 1u);
        EXPECT_EQ(receiver.totals().bytes, 0u);
        receive(receiver, {{0, 0, size}});
        EXPECT_EQ(told_whole(receiver), Indexes{0});
    }
}

TEST(Receiver, CountsReusedBytesUnlessTheSenderDeniesThem) {
    auto receiver = receiving(*manifest_of({file("a", 20), file("b", 20)}),
                              {.have = {{.index = 0, .offset = 12}, {.index = 1, .offset = 12}},
                               .missing = {{.index = 0, .offset = 4, .length = 2}},
                               .of_basis = {{0, 3}, {1, 0}}});
    EXPECT_EQ(receiver.reused_bytes(), 12u - 2 - 3 + 12);
    EXPECT_TRUE(
        receiver.on_control(Confirm{.index = 0, .different = {{.offset = 8, .length = 2}}}));
    EXPECT_EQ(receiver.reused_bytes(), 12u - 4 - 3 + 12);
    EXPECT_TRUE(receiver.on_control(Restart{1}));
    EXPECT_EQ(receiver.reused_bytes(), 12u - 4 - 3);
}

TEST(Receiver, TakesDataBeforeTheOffsetForARestartThatItOvertook) {
    auto receiver = receiving(*manifest_of({file("a", 20)}), having(12));
    receive(receiver, {{0, 16, 4}});
    receive(receiver, {{0, 0, 8}});
    EXPECT_EQ(only<ReceiverRestarted>(receiver.take_events()).size(), 1u);
    EXPECT_EQ(receiver.totals().bytes, 12u);
    EXPECT_TRUE(receiver.on_control(Restart{0}));
    EXPECT_TRUE(receiver.take_events().empty());
    receive(receiver, {{0, 8, 8}});
    EXPECT_EQ(told_whole(receiver), Indexes{0});
}

TEST(Receiver, TakesAnAnswerThatCrossedWithASkip) {
    auto receiver = receiving(*manifest_of({file("a", 20), file("b", 1)}), having(12));
    receiver.skip(just(0));
    EXPECT_TRUE(receiver.on_control(Confirm{0}));
    receiver.want(just(0));
    receive(receiver, {{0, 12, 8}}); // planned before the sender received the skip
    receive(receiver, {{0, 0, 20}});
    EXPECT_EQ(told_whole(receiver), Indexes{0});
}

TEST(Receiver, HandsOnTheSourceOfFilesThatAreToCome) {
    auto receiver = receiving(*manifest_of({file("a", 20), file("b", 1)}));
    EXPECT_TRUE(receiver.on_control(Validator{.index = 0, .validator = {1}}));
    EXPECT_EQ(only<Validator>(receiver.take_events()).at(0).validator, WireId{1});
    receiver.skip(just(0));
    EXPECT_TRUE(receiver.on_control(Validator{.index = 0, .validator = {1}}));
    EXPECT_TRUE(only<Validator>(receiver.take_events()).empty());
}

TEST(Receiver, CountsHolesAsWritten) {
    auto receiver =
        receiving(*manifest_of({test::sparse_file("a", 20), test::sparse_file("b", 9)}));
    EXPECT_TRUE(receiver.on_control(Hole{.index = 0, .offset = 4, .length = 16}));
    EXPECT_EQ(receiver.totals().bytes, 16u);
    receive(receiver, {{0, 0, 4}});
    EXPECT_TRUE(receiver.on_control(Hole{.index = 1, .offset = 0, .length = 9}));
    const auto events = receiver.take_events();
    EXPECT_EQ(only<Hole>(events).size(), 2u);
    EXPECT_EQ(only<ReceiverFilesComplete>(events).at(0).indexes, (Indexes{0, 1}));
}

TEST(Receiver, AsksForDamagedPiecesOnceThenTheirFilesFail) { // WIRE-09
    auto receiver = receiving(*manifest_of({file("a", 5), file("b", 20 * kMiB)}));
    const auto damage = [&receiver](const SegmentPlan &plan) {
        ASSERT_TRUE(receiver.on_segment_started(plan));
        receiver.on_segment_damaged(plan);
    };
    damage({{0, 0, 5}});
    damage({{1, 0, 8 * kMiB}});
    damage({{1, 8 * kMiB, 8 * kMiB}});
    const auto again = only<Resend>(receiver.take_messages());
    ASSERT_EQ(again.size(), 3u);
    EXPECT_EQ(again[2].index, 1u);
    EXPECT_EQ(again[2].offset, 8 * kMiB);
    EXPECT_EQ(again[2].length, 8 * kMiB);
    receive(receiver, {{1, 0, 8 * kMiB}});
    damage({{1, 8 * kMiB, 8 * kMiB}});
    const auto messages = receiver.take_messages();
    EXPECT_TRUE(only<Resend>(messages).empty());
    EXPECT_EQ(only<EntryFailed>(messages).at(0).code, ErrorCode::HashMismatch);
    EXPECT_EQ(receiver.totals().bytes, 0u);
    receive(receiver, {{0, 0, 5}});
    EXPECT_EQ(told_whole(receiver), Indexes{0});
}

TEST(Receiver, AsksForVoidedPiecesAsOftenAsTheDiskFails) {
    auto receiver = receiving(*manifest_of({file("a", 5)}));
    for (int times = 0; times < 5; ++times) {
        ASSERT_TRUE(receiver.on_segment_started({{0, 0, 5}}));
        receiver.on_segment_voided({{0, 0, 5}});
        EXPECT_EQ(asked_again(receiver), 1u);
    }
    for (int times = 0; times < 5; ++times) {
        receive(receiver, {{0, 0, 5}});
        EXPECT_TRUE(receiver.holds_complete(0));
        receiver.on_bytes_lost({.index = 0, .offset = 0, .length = 5});
        EXPECT_FALSE(receiver.holds_complete(0));
        EXPECT_EQ(receiver.totals().bytes, 0u);
        EXPECT_EQ(asked_again(receiver), 1u);
    }
    receive(receiver, {{0, 0, 5}});
    told_whole(receiver);
    receiver.on_file_published(0, false);
    receiver.on_bytes_lost({.index = 0, .offset = 0, .length = 5});
    EXPECT_EQ(asked_again(receiver), 0u);
}

TEST(Receiver, TakesBytesTwiceThatWereLostBeforeTheirSegmentWasVoided) {
    auto receiver = receiving(*manifest_of({file("a", 20)}));
    const SegmentPlan half = {{0, 0, 10}};
    ASSERT_TRUE(receiver.on_segment_started(half));
    receiver.on_bytes_lost({.index = 0, .offset = 0, .length = 10});
    receiver.on_segment_voided(half);
    EXPECT_EQ(asked_again(receiver), 2u);
    receive(receiver, half);
    receive(receiver, {{0, 10, 10}});
    EXPECT_EQ(told_whole(receiver), Indexes{0});
    ASSERT_TRUE(receiver.on_segment_started(half));
    EXPECT_FALSE(receiver.accepts(0));
    receiver.on_segment_written(half);
    EXPECT_TRUE(receiver.holds_complete(0));
    EXPECT_EQ(receiver.totals().bytes, 20u);
}

TEST(Receiver, RequestsLostPiecesWhenItResumes) {
    auto receiver = receiving(*manifest_of({file("a", 5), file("b", 0), file("c", 7)}));
    const SegmentPlan plan = {{0, 0, 5}, {1, 0, 0}, {2, 0, 7}};
    ASSERT_TRUE(receiver.on_segment_started(plan));
    receiver.on_segment_lost(plan);
    receiver.pause({.why = Pause::Why::DiskFull});
    receiver.skip(just(2));
    EXPECT_EQ(asked_again(receiver), 0u);
    receiver.resume();
    EXPECT_EQ(asked_again(receiver), 2u);
    receiver.resume();
    EXPECT_EQ(asked_again(receiver), 0u);
    receive(receiver, {{0, 0, 5}, {1, 0, 0}});
    EXPECT_EQ(told_whole(receiver), (Indexes{0, 1}));
}

TEST(Receiver, AsksForWhatReadsBackWrongThreeTimes) {
    auto receiver = receiving(*manifest_of({file("a", 20)}));
    receive(receiver, {{0, 0, 20}});
    for (int times = 0; times < 3; ++times) {
        EXPECT_EQ(told_whole(receiver), Indexes{0});
        receiver.on_read_back_wrong({.index = 0, .offset = 5, .length = 10});
        EXPECT_EQ(receiver.totals().bytes, 10u);
        EXPECT_EQ(asked_again(receiver), 1u);
        receive(receiver, {{0, 5, 10}});
    }
    EXPECT_EQ(told_whole(receiver), Indexes{0});
    receiver.on_read_back_wrong({.index = 0, .offset = 5, .length = 10});
    EXPECT_EQ(only<ReceiverEntryFailed>(receiver.take_events()).at(0).code, ErrorCode::DiskIo);
}

TEST(Receiver, DropsWhatComesOfSkippedFiles) {
    auto receiver = receiving(*manifest_of({file("a", 20), file("b", 5), file("c", 6)}));
    const SegmentPlan batch = {{1, 0, 5}, {2, 0, 6}};
    ASSERT_TRUE(receiver.on_segment_started(batch));
    receive(receiver, {{0, 0, 8}});
    receiver.skip({{.first = 0, .count = 2}});
    EXPECT_EQ(receiver.totals().bytes, 0u);
    EXPECT_EQ(receiver.totals().total_bytes, 6u);
    const auto skipped = only<Skip>(receiver.take_messages());
    ASSERT_EQ(skipped.size(), 1u);
    EXPECT_EQ(skipped[0].ranges, (IndexRanges{{.first = 0, .count = 2}}));
    receiver.on_segment_written(batch);
    receive(receiver, {{0, 8, 12}}); // was in flight
    EXPECT_EQ(told_whole(receiver), Indexes{2});
    receiver.on_file_published(2, false);
    EXPECT_TRUE(receiver.complete());
}

TEST(Receiver, SkipsNothingThatHasItsName) {
    auto receiver = receiving(*manifest_of({file("a", 1), file("b", 1)}));
    receive(receiver, {{0, 0, 1}});
    name_whole(receiver);
    receiver.skip(just(0));
    receiver.want(just(0));
    EXPECT_TRUE(only<Skip>(receiver.take_messages()).empty());
    EXPECT_EQ(receiver.totals().files, 1u);
}

TEST(Receiver, ASkippedFileThatGotItsNameMeanwhileIsHere) {
    auto receiver = receiving(*manifest_of({file("a", 1), file("b", 1)}));
    receive(receiver, {{0, 0, 1}});
    EXPECT_EQ(told_whole(receiver), Indexes{0});
    receiver.skip(just(0));
    receiver.on_file_published(0, false);
    const auto skipped = only<Skip>(receiver.take_messages());
    ASSERT_EQ(skipped.size(), 2u);
    EXPECT_EQ(skipped[1].why, Skip::Why::Present);
    EXPECT_EQ(receiver.totals().files, 1u);
    EXPECT_EQ(receiver.totals().total_files, 2u);
}

TEST(Receiver, AsksForAFileAgainWhenNothingOfItIsOnItsWay) {
    auto receiver = receiving(*manifest_of({file("a", 20), file("b", 1)}));
    ASSERT_TRUE(receiver.on_segment_started({{0, 0, 8}}));
    receiver.skip(just(0));
    receiver.want(just(0));
    EXPECT_EQ(receiver.totals().total_files, 2u);
    EXPECT_EQ(only<Skip>(receiver.take_messages()).size(), 1u); // the first skip
    receiver.on_segment_abandoned({{0, 0, 8}});
    const auto wanted = only<Skip>(receiver.take_messages());
    ASSERT_EQ(wanted.size(), 1u);
    EXPECT_EQ(wanted[0].why, Skip::Why::Wanted);
}

TEST(Receiver, TakesBytesOfAWantedFileTwice) {
    auto receiver = receiving(*manifest_of({file("a", 20), file("b", 1)}));
    receiver.skip(just(0));
    receiver.want(just(0));
    ASSERT_TRUE(receiver.on_segment_started({{0, 0, 20}}));
    ASSERT_TRUE(receiver.on_segment_started({{0, 0, 8}}));
    receiver.on_segment_written({{0, 0, 20}});
    EXPECT_TRUE(told_whole(receiver).empty()); // the second copy could be damaged
    receiver.on_segment_damaged({{0, 0, 8}});
    EXPECT_EQ(receiver.totals().bytes, 12u);
    EXPECT_EQ(asked_again(receiver), 1u);
    receive(receiver, {{0, 0, 8}});
    EXPECT_EQ(told_whole(receiver), Indexes{0});
    ASSERT_TRUE(receiver.on_segment_started({{0, 8, 12}})); // a late one
    EXPECT_FALSE(receiver.accepts(0));
    receiver.on_segment_written({{0, 8, 12}});
    EXPECT_TRUE(told_whole(receiver).empty());
}

TEST(Receiver, AFileThatTheSenderCannotReadFailsWhenItIsWanted) {
    auto receiver = receiving(*manifest_of({file("a", 20), file("b", 1)}));
    receiver.skip(just(0));
    EXPECT_TRUE(receiver.on_control(EntryFailed{0, ErrorCode::PathUnreadable}));
    EXPECT_TRUE(only<ReceiverEntryFailed>(receiver.take_events()).empty());
    receiver.want(just(0));
    EXPECT_EQ(only<ReceiverEntryFailed>(receiver.take_events()).at(0).code,
              ErrorCode::PathUnreadable);
    EXPECT_EQ(receiver.totals().total_files, 1u);
}

TEST(Receiver, WantsWhatItDidNotChooseAtFirst) {
    auto receiver = receiving(*manifest_of({file("a", 20), file("b", 1)}), {.unwanted = just(0)});
    EXPECT_EQ(receiver.totals().total_files, 1u);
    receiver.want({{.first = 0, .count = 2}});
    const auto wanted = only<Skip>(receiver.take_messages());
    ASSERT_EQ(wanted.size(), 1u);
    EXPECT_EQ(wanted[0].ranges, just(0));
    receive(receiver, {{0, 0, 20}});
    EXPECT_EQ(told_whole(receiver), Indexes{0});
}

TEST(Receiver, CountsNothingOfWhatIsRemoved) {
    auto receiver = receiving(*manifest_of({file("a", 1), file("b", 2), file("c", 4)}));
    receive(receiver, {{0, 0, 1}});
    name_whole(receiver);
    ASSERT_TRUE(receiver.on_segment_started({{1, 0, 2}}));
    EXPECT_TRUE(receiver.on_control(Removed{{{.first = 0, .count = 2}}}));
    EXPECT_EQ(only<ReceiverRemoved>(receiver.take_events()).size(), 1u);
    receiver.on_segment_written({{1, 0, 2}});
    EXPECT_TRUE(told_whole(receiver).empty());
    EXPECT_EQ(receiver.totals().files, 0u);
    EXPECT_EQ(receiver.totals().bytes, 0u);
    EXPECT_EQ(receiver.totals().total_files, 1u);
    EXPECT_EQ(receiver.totals().total_bytes, 4u);
}

TEST(Receiver, KnowsOfRemovalsBeforeItReadsTheirEntries) {
    auto receiver = receiving(*manifest_of({file("a", 1)}));
    EXPECT_TRUE(receiver.on_control(Removed{{{.first = 1, .count = 1}}}));
    const auto more = test::encoded(*manifest_of({file("a", 1), file("b", 2), file("c", 3)}), 1);
    EXPECT_TRUE(receiver.on_manifest_bytes(more));
    receiver.accept(3, {});
    EXPECT_EQ(receiver.totals().total_bytes, 4u);
}

TEST(Receiver, PrioritizesOnlyWhatIsMissing) {
    const auto manifest =
        manifest_of({file("a", 10), file("b", 10), file("c", 10), test::folder("d")});
    Receiver receiver = receiving(*manifest, {.unwanted = {{.first = 1, .count = 1}}});
    receiver.prioritize({{.first = 0, .count = 1'000}});
    const auto sent = only<Prioritize>(receiver.take_messages());
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent.front().ranges,
              (IndexRanges{{.first = 0, .count = 1}, {.first = 2, .count = 1}}));
    receive(receiver, {{.index = 0, .offset = 0, .length = 10}});
    receive(receiver, {{.index = 2, .offset = 0, .length = 10}});
    receiver.take_messages();
    receiver.prioritize({{.first = 0, .count = 4}});
    EXPECT_TRUE(only<Prioritize>(receiver.take_messages()).empty());
}

TEST(Receiver, CopiesTheStatesOfWhatIsOffered) {
    const auto manifest = manifest_of({file("a", 10), file("b", 10), file("c", 10)});
    Receiver receiver = receiving(*manifest, {.unwanted = {{.first = 1, .count = 1}}});
    receive(receiver, {{.index = 0, .offset = 0, .length = 10}});
    const auto states = receiver.file_states();
    ASSERT_EQ(states.raw.size(), 3U);
    EXPECT_EQ(states.state_of(states.raw[0]), FileState::Received);
    EXPECT_EQ(states.state_of(states.raw[1]), FileState::Skipped);
    EXPECT_EQ(states.state_of(states.raw[2]), FileState::Waiting);
    EXPECT_EQ(receiver.present_bytes(0), 10U);
    EXPECT_EQ(receiver.present_bytes(1'000'000), 0U);
    ASSERT_TRUE(receiver.on_control(Removed{.ranges = {{.first = 2, .count = 1'000}}}).has_value());
    const auto after = receiver.file_states();
    EXPECT_EQ(after.raw.size(), 3U) << "what was removed can run ahead of what is offered";
    EXPECT_EQ(after.state_of(after.raw[2]), FileState::Gone);
}

} // namespace
} // namespace thru::test
