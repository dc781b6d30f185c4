#include "transfer/joined.h"
#include "transfer/random_pair.h"

namespace thru::test {
namespace {

/// Delivers the offer of a share and accepts it.
void begin(Joined &pair, std::initializer_list<ManifestEntry> entries,
           const ReceiverChoices &choices = {}) {
    for (const ManifestEntry &entry : entries) {
        pair.add(entry);
    }
    pair.checkpoint();
    pair.exchange_all();
    pair.receiver.accept(entries.size(), choices);
}

/// The result on which both sides agree.
Done agreed_end(Joined &pair) {
    const auto sent = only<SenderFinished>(pair.sender_events);
    const auto received = only<ReceiverFinished>(pair.receiver_events);
    EXPECT_EQ(sent.size(), 1u);
    EXPECT_EQ(only<ReceiverReleased>(pair.receiver_events).size(), 1u);
    if (sent.empty() || received.empty()) {
        return {};
    }
    EXPECT_EQ(sent[0].totals.bytes, received.back().totals.bytes);
    return sent[0].totals;
}

TEST(SenderAndReceiver, EndWithEveryByteInItsPlaceWhateverHappens) {
    for (std::uint32_t seed = 1; seed <= 600; ++seed) {
        SCOPED_TRACE(seed);
        test::RandomPair(seed).run();
        ASSERT_FALSE(HasFailure());
    }
}

TEST(SenderAndReceiver, GoOnWhenTheShareGrowsWhileDoneIsOnItsWay) {
    Joined pair;
    begin(pair, {file("a", 10)});
    pair.move_data();
    pair.receiver.on_all_durable();
    pair.add(file("b", 20));
    pair.checkpoint();
    pair.exchange_all();
    EXPECT_TRUE(only<SenderFinished>(pair.sender_events).empty());
    pair.receiver.accept(2, {});
    pair.move_data();
    pair.commit();
    const Done end = agreed_end(pair);
    EXPECT_EQ(end.entries, 2u);
    EXPECT_EQ(end.bytes, 30u);
}

TEST(SenderAndReceiver, SendOnlyTheRestOfWhatIsConfirmed) {
    Joined pair;
    begin(pair, {file("a", 20 * kMiB), file("b", 20 * kMiB)},
          {.have = {{.index = 0, .offset = 9 * kMiB}, {.index = 1, .offset = 9 * kMiB}}});
    pair.exchange_all();
    for (const auto &claimed : pair.take<Have>(pair.sender_events)) {
        pair.sender.on_have_checked(claimed.index, claimed.index == 0);
    }
    pair.exchange_all();
    std::uint64_t sent = 0;
    while (const auto plan = pair.sender.next_segment()) {
        sent += plan_bytes(*plan);
        test::receive(pair.receiver, *plan);
    }
    EXPECT_EQ(sent, 31 * kMiB);
    pair.move_data();
    pair.commit();
    EXPECT_EQ(agreed_end(pair).bytes, 40 * kMiB);
}

TEST(SenderAndReceiver, SendAgainOnlyWhatDiffers) {
    Joined pair;
    const std::vector<Extents::Run> runs(5 * kMaxExtents / 2, {.length = 4096, .hash = {1}});
    const std::uint64_t present = runs.size() * 4096;
    begin(pair, {file("a", 20 * kMiB)},
          {.have = {{.index = 0, .offset = present}}, .extents = {{0, runs}}});
    pair.exchange_all();
    const auto claimed = pair.take<Have>(pair.sender_events);
    ASSERT_EQ(claimed.size(), 1u);
    std::uint64_t offset = 0;
    for (const std::size_t expected : {kMaxExtents, kMaxExtents, kMaxExtents / 2}) {
        pair.sender.compare(claimed[0], offset);
        pair.exchange_all();
        const auto extents = pair.take<Extents>(pair.sender_events);
        ASSERT_EQ(extents.size(), 1u);
        EXPECT_EQ(extents[0].runs.size(), expected);
        offset += expected * 4096;
    }
    EXPECT_EQ(offset, present);
    const std::vector<ByteRange> different{{.offset = 4096, .length = 4096},
                                           {.offset = kMiB, .length = 8192}};
    pair.sender.on_have_checked(0, true, different);
    pair.exchange_all();
    const auto outdated = pair.take<ReceiverOutdated>(pair.receiver_events);
    ASSERT_EQ(outdated.size(), 1u);
    EXPECT_EQ(outdated[0].ranges, different);
    std::uint64_t sent = 0;
    while (const auto plan = pair.sender.next_segment()) {
        sent += plan_bytes(*plan);
        test::receive(pair.receiver, *plan);
    }
    EXPECT_EQ(sent, 20 * kMiB - present + 3 * 4096);
    pair.move_data();
    pair.commit();
    EXPECT_EQ(agreed_end(pair).bytes, 20 * kMiB);
}

TEST(SenderAndReceiver, ConfirmInParts) {
    Joined pair;
    const std::vector<Extents::Run> runs(3 * kMaxDifferent, {.length = 64, .hash = {1}});
    const std::uint64_t present = runs.size() * 64;
    begin(pair, {file("a", 20 * kMiB)},
          {.have = {{.index = 0, .offset = present}}, .extents = {{0, runs}}});
    pair.exchange_all();
    const auto claimed = pair.take<Have>(pair.sender_events);
    ASSERT_EQ(claimed.size(), 1u);
    for (std::uint64_t offset = 0; offset < present; offset += kMaxExtents * 64) {
        pair.sender.compare(claimed[0], offset);
        pair.exchange_all();
        const auto extents = pair.take<Extents>(pair.sender_events);
        ASSERT_EQ(extents.size(), 1u);
        EXPECT_TRUE(extents[0].takes_parts);
    }
    std::vector<ByteRange> different;
    for (std::uint64_t run = 0; run < kMaxDifferent + 7; ++run) {
        different.push_back({.offset = run * 128, .length = 64});
    }
    const auto first_of_rest = different.begin() + std::ptrdiff_t{kMaxDifferent};
    pair.sender.confirm_part(0, {different.begin(), first_of_rest});
    pair.exchange_all();
    EXPECT_TRUE(pair.take<ReceiverOutdated>(pair.receiver_events).empty());
    pair.sender.on_have_checked(0, true, {first_of_rest, different.end()});
    pair.exchange_all();
    const auto outdated = pair.take<ReceiverOutdated>(pair.receiver_events);
    ASSERT_EQ(outdated.size(), 1u);
    EXPECT_EQ(outdated[0].ranges, different);
    std::uint64_t sent = 0;
    while (const auto plan = pair.sender.next_segment()) {
        sent += plan_bytes(*plan);
        test::receive(pair.receiver, *plan);
    }
    EXPECT_EQ(sent, 20 * kMiB - present + different.size() * 64);
    pair.move_data();
    pair.commit();
    EXPECT_EQ(agreed_end(pair).bytes, 20 * kMiB);
}

TEST(SenderAndReceiver, KeepNoValidatorOfClaimedBytesBeforeTheyAreConfirmed) {
    Joined pair;
    begin(pair, {file("a", 20), file("b", 1)},
          {.have = {{.index = 0, .offset = 9, .validator = kBasisValidator}}});
    pair.exchange_all();
    const Validator validator{.index = 0, .validator = {1}};
    ASSERT_TRUE(pair.receiver.on_control(validator));
    EXPECT_TRUE(pair.take<Validator>(pair.receiver_events).empty());
    ASSERT_TRUE(pair.receiver.on_control(Confirm{.index = 0}));
    ASSERT_TRUE(pair.receiver.on_control(validator));
    pair.exchange_all();
    EXPECT_EQ(pair.take<Validator>(pair.receiver_events).size(), 1U);
}

TEST(SenderAndReceiver, SendWhatIsMissingOfAConfirmedFileOnce) {
    Joined pair;
    begin(pair, {file("a", 20 * kMiB)},
          {.have = {{.index = 0, .offset = 10 * kMiB}},
           .missing = {{.index = 0, .offset = 0, .length = kMiB},
                       {.index = 0, .offset = 4 * kMiB, .length = kMiB}}});
    pair.exchange_all();
    pair.sender.on_have_checked(0, true, {{.offset = kMiB / 2, .length = kMiB}});
    pair.exchange_all();
    const auto outdated = pair.take<ReceiverOutdated>(pair.receiver_events);
    ASSERT_EQ(outdated.size(), 1u);
    const std::vector<ByteRange> expected{{.offset = 0, .length = 3 * kMiB / 2},
                                          {.offset = 4 * kMiB, .length = kMiB}};
    EXPECT_EQ(outdated[0].ranges, expected);
    std::uint64_t sent = 0;
    while (const auto plan = pair.sender.next_segment()) {
        sent += plan_bytes(*plan);
        test::receive(pair.receiver, *plan);
    }
    EXPECT_EQ(sent, 10 * kMiB + 5 * kMiB / 2);
    pair.move_data();
    pair.commit();
    EXPECT_EQ(agreed_end(pair).bytes, 20 * kMiB);
}

TEST(SenderAndReceiver, CompareNoFileThatWasSkippedMeanwhile) {
    Joined pair;
    begin(pair, {file("a", 20)},
          {.have = {{.index = 0, .offset = 9}}, .extents = {{0, {{.length = 9, .hash = {1}}}}}});
    pair.exchange_all();
    const auto claimed = pair.take<Have>(pair.sender_events);
    pair.sender.compare(claimed.at(0), 0);
    pair.receiver.skip({{.first = 0, .count = 1}});
    pair.exchange_all();
    const auto extents = pair.take<Extents>(pair.sender_events);
    ASSERT_EQ(extents.size(), 1u);
    EXPECT_TRUE(extents[0].runs.empty());
    EXPECT_FALSE(pair.sender.awaits_check(0));
}

TEST(SenderAndReceiver, EndWithoutWhatWasSkippedOrRemoved) {
    Joined pair;
    begin(pair, {file("a", 10 * kMiB), file("b", 10 * kMiB), file("c", 5)});
    pair.exchange_all();
    const auto under_way = pair.sender.next_segment();
    ASSERT_TRUE(under_way);
    pair.receiver.skip({{.first = 0, .count = 1}});
    pair.sender.on_removed({{.first = 1, .count = 1}});
    pair.exchange_all();
    test::receive(pair.receiver, *under_way);
    pair.move_data();
    pair.commit();
    const Done end = agreed_end(pair);
    EXPECT_EQ(end.files, 1u);
    EXPECT_EQ(end.bytes, 5u);
    EXPECT_EQ(end.problems, 0u);
}

TEST(SenderAndReceiver, CountTheSameWhenFilesAreSkippedAndWanted) {
    Joined pair;
    begin(pair, {file("a", 10), file("b", 20), file("c", 40)},
          {.present = {{.first = 0, .count = 1}}, .unwanted = {{.first = 1, .count = 1}}});
    pair.exchange_all();
    pair.receiver.skip({{.first = 2, .count = 1}});
    pair.receiver.want({{.first = 1, .count = 2}});
    pair.exchange_all();
    const auto progress = only<SenderProgress>(pair.sender_events);
    ASSERT_FALSE(progress.empty());
    EXPECT_EQ(progress.back().total_files, pair.receiver.totals().total_files);
    EXPECT_EQ(progress.back().total_bytes, pair.receiver.totals().total_bytes);
    EXPECT_EQ(progress.back().files, 1u);
    EXPECT_EQ(progress.back().bytes, 10u);
    pair.move_data();
    pair.commit();
    EXPECT_EQ(agreed_end(pair).bytes, 70u);
}

TEST(SenderAndReceiver, SendEveryByteOnceWhenNothingGoesWrong) {
    Joined pair;
    for (std::uint64_t index = 0; index < 300; ++index) {
        pair.add(
            file("f" + std::to_string(index), index % 50 == 0 ? 20 * kMiB + index : index * 999));
    }
    pair.checkpoint();
    pair.exchange_all();
    pair.receiver.accept(300, {.first = {{{.first = 120, .count = 40}}}});
    pair.exchange_all();
    std::uint64_t sent = 0;
    while (const auto plan = pair.sender.next_segment()) {
        sent += plan_bytes(*plan);
        test::receive(pair.receiver, *plan); // fails for duplicates
    }
    EXPECT_EQ(sent, pair.table->bytes());
    pair.move_data();
    pair.commit();
    EXPECT_EQ(agreed_end(pair).files, 300u);
}

} // namespace
} // namespace thru::test
