#include "transfer/receiver.h"

#include "transfer/receiving.h"

namespace thru::test {
namespace {

using Indexes = std::vector<std::uint64_t>;

TEST(Receiver, IsOfferedTheManifestOnceBothStreamsAgree) {
    const auto manifest = manifest_of({folder("a"), file("a/b", 7), test::link("a/c", "b")});
    auto receiver = test::new_receiver();
    EXPECT_TRUE(receiver.on_manifest_bytes(encoded(*manifest)));
    EXPECT_TRUE(receiver.on_control(Hello{.name = "you", .id = {4}}));
    EXPECT_EQ(only<ReceiverGreeted>(receiver.take_events()).at(0).share, WireId{4});
    EXPECT_TRUE(receiver.on_control(offer_of(*manifest)));
    const auto reported = only<ReceiverOffered>(receiver.take_events());
    ASSERT_EQ(reported.size(), 1u);
    EXPECT_EQ(reported[0].end, 3u);
    EXPECT_EQ(receiver.manifest()->entry(2), manifest->entry(2));
    EXPECT_EQ(only<Hello>(receiver.take_messages()).at(0).id, WireId{9});
}

TEST(Receiver, WaitsForTheManifestWhenTheOfferIsFirst) {
    const auto manifest = manifest_of({file("b", 7)});
    const Bytes bytes = encoded(*manifest);
    auto receiver = test::new_receiver();
    EXPECT_TRUE(receiver.on_control(Hello{}));
    EXPECT_TRUE(receiver.on_control(offer_of(*manifest)));
    for (const std::uint8_t byte : bytes) {
        EXPECT_TRUE(only<ReceiverOffered>(receiver.take_events()).empty());
        EXPECT_TRUE(receiver.on_manifest_bytes({&byte, 1}));
    }
    EXPECT_EQ(only<ReceiverOffered>(receiver.take_events()).size(), 1u);
}

TEST(Receiver, ComparesTheOfferWithTheFirstCheckpointThoughMoreFollowed) {
    const auto manifest = manifest_of({file("a", 7)});
    Bytes bytes;
    ManifestEncoder encoder;
    encoder.add(manifest->entry(0), bytes);
    encoder.checkpoint(bytes);
    encoder.add(file("b", 1), bytes);
    auto receiver = test::new_receiver();
    EXPECT_TRUE(receiver.on_control(Hello{}));
    EXPECT_TRUE(receiver.on_manifest_bytes(bytes));
    EXPECT_TRUE(receiver.on_control(offer_of(*manifest)));
    EXPECT_EQ(only<ReceiverOffered>(receiver.take_events()).at(0).end, 1u);
}

TEST(Receiver, NamesFilesAndIsDoneOnceAllIsDurable) {
    const auto manifest = manifest_of({file("a", 3), file("b", 0), folder("c")});
    auto receiver = receiving(*manifest);
    receive(receiver, {{0, 0, 3}, {1, 0, 0}});
    EXPECT_EQ(told_whole(receiver), (Indexes{0, 1}));
    EXPECT_EQ(receiver.totals().files, 0u);
    receiver.on_file_published(0, true);
    EXPECT_TRUE(receiver.take_events().empty());
    receiver.on_file_published(1, false);
    EXPECT_TRUE(receiver.complete());
    EXPECT_TRUE(only<Done>(receiver.take_messages()).empty());
    receiver.on_all_durable();
    const auto done = only<Done>(receiver.take_messages());
    ASSERT_EQ(done.size(), 1u);
    EXPECT_EQ(done[0].entries, 3u);
    EXPECT_EQ(done[0].files, 2u);
    EXPECT_EQ(done[0].bytes, 3u);
    EXPECT_EQ(done[0].problems, 0u);
    EXPECT_EQ(done[0].renamed, 1u);
    EXPECT_EQ(only<ReceiverFinished>(receiver.take_events()).size(), 1u);
    EXPECT_TRUE(receiver.on_control(Bye{}));
    EXPECT_EQ(only<ReceiverReleased>(receiver.take_events()).size(), 1u);
}

TEST(Receiver, IsCompleteAtOnceWhenThereAreNoFiles) {
    auto receiver = offered(*manifest_of({folder("a"), folder("b"), test::link("l", "a")}));
    receiver.on_entry_failed(1, ErrorCode::TargetNotWritable);
    receiver.accept(3, {});
    receiver.on_entry_failed(2, ErrorCode::NameNotAllowed);
    EXPECT_TRUE(receiver.complete());
    receiver.on_all_durable();
    const auto messages = receiver.take_messages();
    ASSERT_EQ(messages.size(), 4u);
    EXPECT_EQ(std::get<EntryFailed>(messages[0]).index, 1u);
    EXPECT_EQ(std::get<Request>(messages[1]).end, 3u);
    EXPECT_EQ(std::get<EntryFailed>(messages[2]).index, 2u);
    EXPECT_EQ(std::get<Done>(messages[3]).problems, 2u);
}

TEST(Receiver, IsCompleteAtOnceWhenNothingIsWanted) {
    auto receiver = offered(*manifest_of({file("a", 1), file("b", 2)}));
    receiver.accept(
        2, {.present = {{.first = 1, .count = 1}}, .unwanted = {{.first = 0, .count = 1}}});
    EXPECT_TRUE(receiver.complete());
    EXPECT_EQ(receiver.totals().files, 1u);
    EXPECT_EQ(receiver.totals().total_files, 1u);
    EXPECT_EQ(receiver.totals().total_bytes, 2u);
}

TEST(Receiver, CountsIdenticalAndUncomparedFiles) {
    auto receiver = offered(*manifest_of({file("resumed", 1), file("same time", 2), file("e", 0),
                                          file("same content", 4), file("unwanted", 8)}));
    receiver.accept(5, {.present = {{.first = 0, .count = 1}},
                        .uncompared = {{.first = 1, .count = 2}},
                        .unwanted = {{.first = 4, .count = 1}},
                        .have = {{.index = 3, .offset = 4}}});
    EXPECT_TRUE(receiver.on_control(Confirm{3}));
    EXPECT_EQ(only<ReceiverFilesComplete>(receiver.take_events()).at(0).indexes.at(0), 3u);
    receiver.on_file_identical(3);
    receiver.on_all_durable();
    const Done done = only<Done>(receiver.take_messages()).at(0);
    EXPECT_EQ(done.files, 4u);
    EXPECT_EQ(done.identical, 3u);
    EXPECT_EQ(done.identical_bytes, 6u);
    EXPECT_EQ(done.uncompared, 1u);
    EXPECT_EQ(receiver.totals().offered_files, 5u);
    EXPECT_EQ(receiver.totals().unwanted_files, 1u);
}

TEST(Receiver, CountsWhatIsUnwantedByEachChoice) {
    auto receiver = receiving(*test::files_of(4, 1));
    receiver.skip({{.first = 1, .count = 2}});
    EXPECT_EQ(receiver.totals().unwanted_files, 2u);
    receiver.want({{.first = 1, .count = 1}});
    EXPECT_EQ(receiver.totals().unwanted_files, 1u);
    EXPECT_TRUE(receiver.on_control(Removed{{{.first = 2, .count = 1}}}));
    EXPECT_EQ(receiver.totals().unwanted_files, 0u);
    EXPECT_EQ(receiver.totals().offered_files, 3u);
    receiver.on_entry_failed(3, ErrorCode::DiskIo);
    EXPECT_EQ(receiver.totals().offered_files, 3u);
    EXPECT_EQ(receiver.totals().total_files, 2u);
}

TEST(Receiver, SendsItsChoicesBeforeRequest) {
    auto receiver = offered(*manifest_of({file("a", 1), file("b", 2), file("c", 3), file("d", 4)}));
    receiver.accept(4, {.present = {{.first = 0, .count = 1}},
                        .unwanted = {{.first = 1, .count = 1}},
                        .have = {{.index = 2, .offset = 1}},
                        .first = {{{.first = 3, .count = 1}}}});
    const auto messages = receiver.take_messages();
    ASSERT_EQ(messages.size(), 5u);
    EXPECT_EQ(std::get<Skip>(messages[0]).why, Skip::Why::Unwanted);
    EXPECT_EQ(std::get<Skip>(messages[1]).why, Skip::Why::Present);
    EXPECT_EQ(std::get<Have>(messages[2]).index, 2u);
    EXPECT_EQ(std::get<Prioritize>(messages[3]).ranges.at(0).first, 3u);
    EXPECT_EQ(std::get<Request>(messages[4]).end, 4u);
    EXPECT_EQ(receiver.totals().bytes, 2u);
    EXPECT_EQ(receiver.totals().total_bytes, 8u);
}

TEST(Receiver, SplitsLargeChoicesAndSendsTheirBeginningLast) {
    const auto manifest = test::files_of(2 * kMaxIndexRanges + 2, 1);
    IndexRanges every_other;
    for (std::uint64_t index = 0; index < manifest->size(); index += 2) {
        append_index(every_other, index);
    }
    auto receiver = offered(*manifest);
    receiver.accept(manifest->size(), {.unwanted = every_other, .first = {every_other}});
    const auto messages = receiver.take_messages();
    EXPECT_EQ(only<Skip>(messages).size(), 2u);
    const auto first = only<Prioritize>(messages);
    ASSERT_EQ(first.size(), 2u); // a later message precedes the earlier ones
    EXPECT_EQ(first[1].ranges.front().first, 0u);
    EXPECT_EQ(first[1].ranges.size(), kMaxIndexRanges);
}

TEST(Receiver, IsDoneAgainAfterTheShareGrew) {
    auto receiver = receiving(*manifest_of({file("a", 1)}));
    receive(receiver, {{0, 0, 1}});
    name_whole(receiver);
    receiver.on_all_durable();
    receiver.take_messages();
    const auto more = encoded(*manifest_of({file("a", 1), file("b", 2)}), 1);
    EXPECT_TRUE(receiver.on_manifest_bytes(more));
    EXPECT_EQ(only<ReceiverOffered>(receiver.take_events()).at(0).end, 2u);
    receiver.accept(2, {});
    receive(receiver, {{1, 0, 2}});
    name_whole(receiver);
    receiver.on_all_durable();
    const auto messages = receiver.take_messages();
    EXPECT_EQ(only<Request>(messages).at(0).end, 2u);
    const auto done = only<Done>(messages);
    ASSERT_EQ(done.size(), 1u);
    EXPECT_EQ(done[0].entries, 2u);
    EXPECT_EQ(done[0].bytes, 3u);
}

TEST(Receiver, WaitsForWhatWasAcceptedLast) {
    auto receiver = receiving(*manifest_of({folder("a")}));
    EXPECT_TRUE(receiver.complete());
    const auto more = encoded(*manifest_of({folder("a"), file("b", 1)}), 1);
    EXPECT_TRUE(receiver.on_manifest_bytes(more));
    receiver.accept(2, {});
    EXPECT_FALSE(receiver.complete());
    receiver.on_all_durable(); // for the first part, while the second is in flight
    EXPECT_TRUE(only<Done>(receiver.take_messages()).empty());
    receive(receiver, {{1, 0, 1}});
    receiver.on_file_published(1, false);
    EXPECT_TRUE(receiver.complete());
    receiver.on_all_durable();
    EXPECT_EQ(only<Done>(receiver.take_messages()).at(0).entries, 2u);
}

TEST(Receiver, ReportsAFileOfSeveralSegmentsOnceItIsComplete) {
    const auto manifest = manifest_of({file("large", 20 * kMiB)});
    auto receiver = receiving(*manifest);
    receive(receiver, {{0, 16 * kMiB, 4 * kMiB}});
    receive(receiver, {{0, 0, 8 * kMiB}});
    EXPECT_TRUE(receiver.take_events().empty());
    EXPECT_EQ(receiver.totals().bytes, 12 * kMiB);
    receive(receiver, {{0, 8 * kMiB, 8 * kMiB}});
    EXPECT_EQ(told_whole(receiver), Indexes{0});
    EXPECT_EQ(receiver.totals().files, 0u);
    EXPECT_EQ(receiver.totals().bytes, 20 * kMiB);
    receiver.on_file_published(0, true);
    EXPECT_EQ(receiver.totals().files, 1u);
}

TEST(Receiver, TakesAbandonedPiecesAgainInAnyShape) {
    const auto manifest = manifest_of({file("a", 3), file("b", 100)});
    auto receiver = receiving(*manifest);
    const SegmentPlan plan = {{0, 0, 3}, {1, 0, 100}};
    ASSERT_TRUE(receiver.on_segment_started(plan));
    receiver.on_segment_abandoned(plan);
    receive(receiver, {{0, 0, 3}});
    receive(receiver, {{1, 60, 40}});
    receive(receiver, {{1, 0, 60}});
    EXPECT_EQ(told_whole(receiver), (Indexes{0, 1}));
    EXPECT_TRUE(only<Resend>(receiver.take_messages()).empty());
}

TEST(Receiver, ContinuesWithoutWhatTheSenderCannotRead) {
    const auto manifest = manifest_of({file("a", 100), file("b", 5)});
    auto receiver = receiving(*manifest);
    receive(receiver, {{0, 0, 60}});
    EXPECT_EQ(receiver.totals().bytes, 60u);
    EXPECT_TRUE(receiver.on_control(EntryFailed{0, ErrorCode::SourceChanged}));
    EXPECT_TRUE(receiver.on_control(EntryFailed{0, ErrorCode::SourceChanged}));
    EXPECT_EQ(receiver.totals().bytes, 0u);
    EXPECT_EQ(receiver.totals().total_bytes, 5u);
    ASSERT_TRUE(receiver.on_segment_started({{0, 60, 40}})); // was in flight
    EXPECT_FALSE(receiver.accepts(0));
    receiver.on_segment_written({{0, 60, 40}});
    const auto failed = only<ReceiverEntryFailed>(receiver.take_events());
    ASSERT_EQ(failed.size(), 1u);
    EXPECT_EQ(failed[0].code, ErrorCode::SourceChanged);
    receive(receiver, {{1, 0, 5}});
    name_whole(receiver);
    receiver.on_all_durable();
    const auto messages = receiver.take_messages();
    EXPECT_TRUE(only<EntryFailed>(messages).empty());
    const auto done = only<Done>(messages);
    ASSERT_EQ(done.size(), 1u);
    EXPECT_EQ(done[0].files, 1u);
    EXPECT_EQ(done[0].bytes, 5u);
    EXPECT_EQ(done[0].problems, 1u);
}

TEST(Receiver, SendsEntryFailedOnce) {
    const auto manifest = manifest_of({file("a", 1), file("b", 50)});
    auto receiver = receiving(*manifest);
    const SegmentPlan plan = {{0, 0, 1}, {1, 0, 50}};
    ASSERT_TRUE(receiver.on_segment_started(plan));
    receiver.on_entry_failed(0, ErrorCode::TargetNotWritable);
    receiver.on_entry_failed(0, ErrorCode::TargetNotWritable);
    receiver.on_segment_written(plan);
    EXPECT_EQ(told_whole(receiver), Indexes{1});
    receiver.on_entry_failed(1, ErrorCode::TargetNotWritable); // could not be published
    receiver.on_file_published(1, false);
    EXPECT_EQ(only<EntryFailed>(receiver.take_messages()).size(), 2u);
    EXPECT_TRUE(receiver.complete());
    EXPECT_EQ(receiver.totals().files, 0u);
    EXPECT_EQ(receiver.totals().bytes, 0u);
}

TEST(Receiver, KeepsWhatItHasWhenTheSenderClaimsItFailed) {
    auto receiver = receiving(*manifest_of({file("a", 1), file("b", 1)}));
    receive(receiver, {{0, 0, 1}});
    name_whole(receiver);
    EXPECT_TRUE(receiver.on_control(EntryFailed{0, ErrorCode::SourceChanged}));
    EXPECT_TRUE(only<ReceiverEntryFailed>(receiver.take_events()).empty());
    EXPECT_EQ(receiver.totals().files, 1u);
}

TEST(Receiver, PausesAndReportsTheSendersPause) {
    auto receiver = receiving(*manifest_of({file("a", 1)}));
    receiver.resume();
    EXPECT_TRUE(receiver.take_messages().empty());
    receiver.pause({.why = Pause::Why::DiskFull, .need = 8});
    receiver.set_rate(77);
    receiver.resume();
    const auto messages = receiver.take_messages();
    ASSERT_EQ(messages.size(), 3u);
    EXPECT_EQ(std::get<Pause>(messages[0]).need, 8u);
    EXPECT_EQ(std::get<Rate>(messages[1]).bytes_per_second, 77u);
    EXPECT_TRUE(std::holds_alternative<Resume>(messages[2]));
    EXPECT_TRUE(receiver.on_control(Resume{}));
    EXPECT_TRUE(receiver.on_control(Pause{}));
    EXPECT_TRUE(receiver.on_control(Resume{}));
    const auto reported = only<ReceiverPeerPaused>(receiver.take_events());
    ASSERT_EQ(reported.size(), 2u);
    EXPECT_TRUE(reported[0].pause);
    EXPECT_FALSE(reported[1].pause);
}

TEST(Receiver, AsksOnceForRoomAndOnceForNone) {
    auto receiver = receiving(*manifest_of({file("a", 1)}));
    receiver.take_messages();
    receiver.set_background(false);
    receiver.set_background(true);
    receiver.set_background(true);
    receiver.set_background(false);
    const auto messages = receiver.take_messages();
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_EQ(std::get<Background>(messages[0]).enabled, Background::Enabled::Yes);
    EXPECT_EQ(std::get<Background>(messages[1]).enabled, Background::Enabled::No);
}

TEST(Receiver, FollowsOnlyAShareThatOffersIt) {
    const auto manifest = manifest_of({file("a", 5)});
    auto receiver = receiving(*manifest);
    receiver.follow();
    EXPECT_FALSE(receiver.follows());
    EXPECT_TRUE(only<Follow>(receiver.take_messages()).empty());
    EXPECT_TRUE(receiver.on_control(Follow{}));
    EXPECT_TRUE(receiver.on_control(Follow{}));
    EXPECT_TRUE(receiver.follows());
    EXPECT_EQ(only<Follow>(receiver.take_messages()).size(), 1u);
    EXPECT_EQ(only<ReceiverFollowable>(receiver.take_events()).size(), 1u);
}

} // namespace
} // namespace thru::test
