// A receiver's choices and partial files, holes, and data that is sent again.
#include "transfer/sending.h"

namespace thru::test {
namespace {

using Plans = std::vector<SegmentPlan>;

Skip skip(Skip::Why why, std::uint64_t first, std::uint64_t count = 1) {
    return {.why = why, .ranges = {{.first = first, .count = count}}};
}

TEST(Sender, LeavesOutWhatIsNotWantedOrThereAlready) {
    auto sender = offering(files_of(5, 3));
    EXPECT_TRUE(sender.on_control(skip(Skip::Why::Unwanted, 0, 2)));
    EXPECT_TRUE(sender.on_control(skip(Skip::Why::Present, 3)));
    EXPECT_TRUE(sender.on_control(Request{5}));
    const auto progress = only<SenderProgress>(sender.take_events());
    ASSERT_EQ(progress.size(), 1u);
    EXPECT_EQ(progress[0].total_files, 3u);
    EXPECT_EQ(progress[0].total_bytes, 9u);
    const Plans expected = {{{2, 0, 3}, {4, 0, 3}}};
    EXPECT_EQ(all_segments(sender), expected);
}

TEST(Sender, SendsAFileFromItsStartWhenItIsWantedAfterAll) {
    auto sender = sending(manifest_of({file("large", 20 * kMiB), file("b", 3)}));
    EXPECT_TRUE(sender.next_segment());
    EXPECT_TRUE(sender.on_control(skip(Skip::Why::Unwanted, 0)));
    EXPECT_EQ(only<SenderProgress>(sender.take_events()).back().total_bytes, 3u);
    EXPECT_EQ(all_segments(sender).size(), 1u);
    EXPECT_TRUE(sender.on_control(skip(Skip::Why::Wanted, 0, 2)));
    EXPECT_EQ(only<SenderProgress>(sender.take_events()).back().total_bytes, 20 * kMiB + 3);
    const Plans expected = {
        {{0, 0, 8 * kMiB}}, {{0, 8 * kMiB, 8 * kMiB}}, {{0, 16 * kMiB, 4 * kMiB}}};
    EXPECT_EQ(all_segments(sender), expected);
}

TEST(Sender, SendsWhatIsFirstBeforeTheRestAndTheLatestFirstBeforeAll) {
    auto sender = sending(files_of(6, 8 * kMiB));
    EXPECT_TRUE(sender.next_segment());
    EXPECT_TRUE(sender.on_control(Prioritize{{{.first = 4, .count = 2}}}));
    EXPECT_TRUE(sender.on_control(Prioritize{{{.first = 2, .count = 1}}}));
    std::vector<std::uint64_t> order;
    for (const SegmentPlan &plan : all_segments(sender)) {
        order.push_back(plan.at(0).index);
    }
    EXPECT_EQ(order, (std::vector<std::uint64_t>{2, 4, 5, 1, 3}));
}

TEST(Sender, GoesBackToTheFileThatWasInterruptedByOneThatIsFirst) {
    auto sender = sending(manifest_of({file("large", 16 * kMiB), file("b", 1), file("c", 2)}));
    EXPECT_TRUE(sender.next_segment());
    EXPECT_TRUE(sender.on_control(Prioritize{{{.first = 2, .count = 1}}}));
    const Plans expected = {{{2, 0, 2}}, {{0, 8 * kMiB, 8 * kMiB}}, {{1, 0, 1}}};
    EXPECT_EQ(all_segments(sender), expected);
}

TEST(Sender, KeepsPiecesRisingWhenTheOrderIsNot) {
    auto sender = offering(files_of(4, 1));
    EXPECT_TRUE(sender.on_control(Prioritize{{{.first = 1, .count = 1}}}));
    EXPECT_TRUE(sender.on_control(Prioritize{{{.first = 3, .count = 1}}}));
    EXPECT_TRUE(sender.on_control(Request{4}));
    const Plans expected = {{{3, 0, 1}}, {{1, 0, 1}}, {{0, 0, 1}, {2, 0, 1}}};
    EXPECT_EQ(all_segments(sender), expected);
}

TEST(Sender, ContinuesWhereTheReceiverStoppedWhenItsBytesAreTheSame) {
    auto sender = offering(manifest_of({file("a", 20 * kMiB), file("b", 5)}));
    const Have have{.index = 0, .offset = 9 * kMiB, .hash_begin = kMiB};
    EXPECT_TRUE(sender.on_control(have));
    const auto claimed = only<Have>(sender.take_events());
    ASSERT_EQ(claimed.size(), 1u);
    EXPECT_EQ(claimed[0].hash_begin, kMiB);
    EXPECT_TRUE(sender.on_control(Request{2}));
    const Plans others = {{{1, 0, 5}}};
    EXPECT_EQ(all_segments(sender), others); // only this file waits
    sender.on_have_checked(0, true);
    const Plans expected = {{{0, 9 * kMiB, 7 * kMiB}}, {{0, 16 * kMiB, 4 * kMiB}}};
    EXPECT_EQ(all_segments(sender), expected);
    const auto messages = sender.take_messages();
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_EQ(std::get<Confirm>(messages[0]).index, 0u);
    EXPECT_EQ(std::get<Validator>(messages[1]).index, 0u);
}

TEST(Sender, StartsAFileAnewWhenTheReceiversBytesAreWrong) {
    auto sender = offering(files_of(2, 5));
    EXPECT_TRUE(sender.on_control(Have{.index = 0, .offset = 4}));
    sender.on_have_checked(0, false);
    EXPECT_TRUE(sender.on_control(Request{2}));
    EXPECT_EQ(only<Restart>(sender.take_messages()).at(0).index, 0u);
    const Plans expected = {{{0, 0, 5}, {1, 0, 5}}};
    EXPECT_EQ(all_segments(sender), expected);
}

TEST(Sender, SendsNothingOfAFileThatIsAllThere) { // WIRE-15
    auto sender = offering(files_of(2, 5));
    EXPECT_TRUE(sender.on_control(Have{.index = 0, .offset = 5}));
    EXPECT_TRUE(sender.on_control(Have{.index = 1, .offset = 5}));
    EXPECT_TRUE(sender.on_control(Request{2}));
    sender.on_have_checked(0, true);
    sender.on_have_checked(1, true);
    EXPECT_EQ(only<Confirm>(sender.take_messages()).size(), 2u);
    EXPECT_TRUE(all_segments(sender).empty());
    EXPECT_TRUE(sender.on_control(Done{.entries = 2, .files = 2, .bytes = 10}));
    EXPECT_EQ(only<SenderFinished>(sender.take_events()).size(), 1u);
}

TEST(Sender, AFirstFileThatWaitedKeepsItsPlace) {
    auto sender = offering(files_of(3, 8 * kMiB));
    EXPECT_TRUE(sender.on_control(Have{.index = 2, .offset = kMiB}));
    EXPECT_TRUE(sender.on_control(Prioritize{{{.first = 2, .count = 1}}}));
    EXPECT_TRUE(sender.on_control(Request{3}));
    EXPECT_EQ(sender.next_segment()->at(0).index, 0u);
    sender.on_have_checked(2, true);
    EXPECT_EQ(sender.next_segment()->at(0).index, 2u);
    EXPECT_EQ(sender.next_segment()->at(0).index, 1u);
}

TEST(Sender, AnswersNoHaveThatASkipTookBack) {
    auto sender = offering(files_of(2, 5));
    EXPECT_TRUE(sender.on_control(Have{.index = 0, .offset = 4}));
    EXPECT_TRUE(sender.on_control(Have{.index = 1, .offset = 4}));
    EXPECT_TRUE(sender.on_control(skip(Skip::Why::Unwanted, 0)));
    EXPECT_TRUE(sender.on_control(skip(Skip::Why::Wanted, 1)));
    EXPECT_TRUE(sender.on_control(Request{2}));
    sender.on_have_checked(0, true);
    sender.on_have_checked(1, true);
    EXPECT_TRUE(sender.take_messages().empty());
    const Plans expected = {{{1, 0, 5}}};
    EXPECT_EQ(all_segments(sender), expected);
}

TEST(Sender, SendsHolesAndTheDataBetween) {
    auto sender = sending(manifest_of({test::sparse_file("s", 30 * kMiB), file("b", 1)}));
    const Plans other = {{{1, 0, 1}}};
    EXPECT_EQ(all_segments(sender), other);
    auto wanted = only<SenderDataWanted>(sender.take_events());
    ASSERT_EQ(wanted.size(), 1u);
    EXPECT_EQ(wanted[0].offset, 0u);
    sender.on_data_found(0, 7 * kMiB, 10 * kMiB);
    const Plans data = {{{0, 7 * kMiB, kMiB}}, {{0, 8 * kMiB, 2 * kMiB}}};
    EXPECT_EQ(all_segments(sender), data);
    wanted = only<SenderDataWanted>(sender.take_events());
    ASSERT_EQ(wanted.size(), 1u);
    EXPECT_EQ(wanted[0].offset, 10 * kMiB);
    sender.on_data_found(0, 30 * kMiB, 30 * kMiB);
    EXPECT_TRUE(all_segments(sender).empty());
    const auto hole = only<Hole>(sender.take_messages());
    ASSERT_EQ(hole.size(), 2u);
    EXPECT_EQ(hole[0].offset, 0u);
    EXPECT_EQ(hole[0].length, 7 * kMiB);
    EXPECT_EQ(hole[1].offset, 10 * kMiB);
    EXPECT_EQ(hole[1].length, 20 * kMiB);
}

TEST(Sender, SendsShortHolesAsData) {
    auto sender = sending(manifest_of({test::sparse_file("s", kMiB), test::sparse_file("t", 100)}));
    EXPECT_FALSE(sender.next_segment());
    sender.on_data_found(0, 4096, kMiB - 4096);
    sender.on_data_found(1, 100, 100);
    const Plans expected = {{{0, 0, kMiB - 4096}}};
    EXPECT_EQ(all_segments(sender), expected);
    sender.on_data_found(0, kMiB, kMiB);
    const Plans rest = {{{0, kMiB - 4096, 4096}}};
    EXPECT_EQ(all_segments(sender), rest);
    const auto hole = only<Hole>(sender.take_messages());
    ASSERT_EQ(hole.size(), 1u); // covers a whole file
    EXPECT_EQ(hole[0].index, 1u);
}

TEST(Sender, SendsNoHolesWhilePaused) {
    auto sender = sending(manifest_of({test::sparse_file("s", kMiB)}));
    EXPECT_FALSE(sender.next_segment());
    sender.pause();
    sender.on_data_found(0, kMiB, kMiB);
    EXPECT_FALSE(sender.next_segment());
    EXPECT_TRUE(only<Hole>(sender.take_messages()).empty());
    sender.resume();
    EXPECT_FALSE(sender.next_segment());
    EXPECT_EQ(only<Hole>(sender.take_messages()).size(), 1u);
}

TEST(Sender, SearchesAnewWhenASparseFileHasToComeFromItsStart) {
    auto sender = sending(manifest_of({test::sparse_file("s", 9 * kMiB)}));
    EXPECT_FALSE(sender.next_segment());
    sender.on_data_found(0, 0, kMiB);
    EXPECT_EQ(all_segments(sender).size(), 1u);
    EXPECT_TRUE(sender.on_control(skip(Skip::Why::Unwanted, 0)));
    EXPECT_TRUE(sender.on_control(skip(Skip::Why::Wanted, 0)));
    EXPECT_FALSE(sender.next_segment());
    sender.take_events();
    sender.on_data_found(0, 2 * kMiB, 3 * kMiB); // was searched from 1 MiB
    EXPECT_FALSE(sender.next_segment());
    const auto wanted = only<SenderDataWanted>(sender.take_events());
    ASSERT_EQ(wanted.size(), 1u);
    EXPECT_EQ(wanted[0].offset, 0u);
}

TEST(Sender, SendsBytesAgainCutAsBefore) {
    auto sender = sending(manifest_of({file("large", 20 * kMiB), file("b", 5), file("c", 0)}));
    EXPECT_EQ(all_segments(sender).size(), 4u);
    EXPECT_TRUE(sender.on_control(Resend{.index = 0, .offset = 7 * kMiB, .length = 2 * kMiB}));
    EXPECT_TRUE(sender.on_control(Resend{.index = 1, .offset = 0, .length = 5}));
    EXPECT_TRUE(sender.on_control(Resend{.index = 2}));
    const Plans expected = {{{0, 7 * kMiB, kMiB}}, {{0, 8 * kMiB, kMiB}}, {{1, 0, 5}, {2, 0, 0}}};
    EXPECT_EQ(all_segments(sender), expected);
}

TEST(Sender, LooksThroughWhatIsPutFirstInSteps) {
    constexpr std::uint64_t kFiles = 150'000;
    auto sender = sending(files_of(kFiles, 1));
    all_segments(sender);
    EXPECT_TRUE(sender.on_control(Prioritize{{{.first = 0, .count = kFiles}}}));
    EXPECT_TRUE(sender.on_control(Prioritize{{{.first = 0, .count = kFiles}}}));
    EXPECT_TRUE(sender.on_control(skip(Skip::Why::Unwanted, kFiles - 1)));
    EXPECT_TRUE(sender.on_control(skip(Skip::Why::Wanted, kFiles - 1)));
    EXPECT_FALSE(sender.next_segment());
    EXPECT_TRUE(sender.searching());
    EXPECT_EQ(sender.next_segment(), (SegmentPlan{{kFiles - 1, 0, 1}}));
    EXPECT_FALSE(sender.searching());
    for (const bool looking : {true, false}) {
        EXPECT_FALSE(sender.next_segment());
        EXPECT_EQ(sender.searching(), looking);
    }
}

TEST(Sender, SendsAFileWhoseTurnPassedWhateverIsPutBeforeIt) {
    auto sender = offering(files_of(2, 5));
    EXPECT_TRUE(sender.on_control(Have{.index = 0, .offset = 2}));
    EXPECT_TRUE(sender.on_control(Prioritize{{{.first = 0, .count = 1}}}));
    EXPECT_TRUE(sender.on_control(Request{2}));
    EXPECT_EQ(all_segments(sender), (Plans{{{1, 0, 5}}}));
    sender.on_have_checked(0, true);
    for (int choice = 0; choice < 70'000; ++choice) {
        ASSERT_TRUE(sender.on_control(Prioritize{{{.first = 1, .count = 1}}}));
    }
    EXPECT_EQ(all_segments(sender), (Plans{{{0, 2, 3}}}));
}

TEST(Sender, StopsSendingWhatIsRemoved) {
    auto sender = sending(files_of(3, 8 * kMiB));
    EXPECT_TRUE(sender.next_segment());
    sender.on_removed({{.first = 1, .count = 1}});
    const auto removed = only<Removed>(sender.take_messages());
    ASSERT_EQ(removed.size(), 1u);
    EXPECT_EQ(removed[0].ranges, (IndexRanges{{.first = 1, .count = 1}}));
    EXPECT_EQ(only<SenderProgress>(sender.take_events()).back().total_files, 2u);
    const Plans expected = {{{2, 0, 8 * kMiB}}};
    EXPECT_EQ(all_segments(sender), expected);
    EXPECT_TRUE(sender.on_control(Resend{.index = 1, .offset = 0, .length = 1}));
    EXPECT_TRUE(all_segments(sender).empty());
}

TEST(Sender, SendsRemovedOncePerEntry) {
    auto sender = sending(files_of(3, 5));
    sender.on_removed({{.first = 1, .count = 1}});
    sender.on_removed({{.first = 0, .count = 2}});
    const auto removed = only<Removed>(sender.take_messages());
    ASSERT_EQ(removed.size(), 2u);
    EXPECT_EQ(removed[1].ranges, (IndexRanges{{0, 1}}));
}

TEST(Sender, SendsFilesThatAreWantedAgainInTheirOrder) {
    auto sender = sending(files_of(4, 5));
    all_segments(sender);
    for (const auto why : {Skip::Why::Unwanted, Skip::Why::Wanted}) {
        EXPECT_TRUE(sender.on_control(Skip{.why = why, .ranges = {{.first = 3, .count = 1}}}));
        EXPECT_TRUE(sender.on_control(Skip{.why = why, .ranges = {{.first = 1, .count = 1}}}));
    }
    const Plans expected = {{{1, 0, 5}, {3, 0, 5}}};
    EXPECT_EQ(all_segments(sender), expected);
}

TEST(Sender, SendsManyRemovedEntriesInSeveralMessages) {
    const auto table = files_of(2 * kMaxIndexRanges + 2, 1);
    auto sender = sending(table);
    IndexRanges every_other;
    for (std::uint64_t index = 0; index < table->size(); index += 2) {
        append_index(every_other, index);
    }
    sender.on_removed(every_other);
    EXPECT_EQ(only<Removed>(sender.take_messages()).size(), 2u);
}

} // namespace
} // namespace thru::test
