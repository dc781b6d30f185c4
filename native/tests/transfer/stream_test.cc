// Files whose size is known only at their end.
#include "transfer/receiving.h"
#include "transfer/sending.h"

namespace thru::test {
namespace {

ManifestEntry stream(std::string path) {
    auto entry = file(std::move(path), 0);
    entry.stream = true;
    return entry;
}

Receiver offered_stream(const ManifestTable &manifest, std::uint64_t version = kStreamVersion) {
    Receiver receiver = test::new_receiver();
    EXPECT_TRUE(receiver.on_control(Hello{.version = version, .name = "you"}).has_value());
    EXPECT_TRUE(receiver.on_manifest_bytes(test::encoded(manifest)).has_value());
    return receiver;
}

Receiver receiving_stream() {
    const auto manifest = manifest_of({stream("s")});
    auto receiver = offered_stream(*manifest);
    EXPECT_TRUE(receiver.on_control(test::offer_of(*manifest)).has_value());
    receiver.accept(1, {});
    receiver.take_messages();
    receiver.take_events();
    return receiver;
}

TEST(StreamReceiver, HasItAllWhenItsEndAndEveryByteBeforeItCame) {
    auto receiver = receiving_stream();
    EXPECT_TRUE(receiver.stream_open());
    receive(receiver, {{0, 0, 5}});
    EXPECT_EQ(receiver.totals().bytes, 5U);
    // Segments may arrive in any order.
    receive(receiver, {{0, 12, 0}});
    EXPECT_TRUE(test::told_whole(receiver).empty());
    receive(receiver, {{0, 5, 7}});
    EXPECT_EQ(test::told_whole(receiver), std::vector<std::uint64_t>{0});
    EXPECT_FALSE(receiver.stream_open());
    EXPECT_EQ(receiver.totals().total_bytes, 12U);
    receiver.on_file_published(0, false);
    EXPECT_TRUE(receiver.complete());
}

TEST(StreamReceiver, TakesAnEmptyOne) {
    auto receiver = receiving_stream();
    receive(receiver, {{0, 0, 0}});
    EXPECT_EQ(test::told_whole(receiver), std::vector<std::uint64_t>{0});
}

TEST(StreamReceiver, RefusesOneThatWasNotAnnounced) {
    const auto manifest = manifest_of({stream("s")});
    auto receiver = offered_stream(*manifest, 1);
    EXPECT_EQ(refused(receiver, test::offer_of(*manifest)), ErrorCode::PeerProtocol);
}

TEST(StreamReceiver, RefusesBytesBehindItsEnd) {
    auto receiver = receiving_stream();
    receive(receiver, {{0, 0, 5}});
    receive(receiver, {{0, 9, 0}});
    EXPECT_EQ(refused(receiver, SegmentPlan{{0, 5, 5}}), ErrorCode::PeerProtocol);
}

TEST(StreamReceiver, RefusesAnEndBeforeItsBytes) {
    auto receiver = receiving_stream();
    receive(receiver, {{0, 10, 5}});
    EXPECT_EQ(refused(receiver, SegmentPlan{{0, 14, 0}}), ErrorCode::PeerProtocol);
}

TEST(StreamReceiver, RefusesASecondEnd) {
    auto receiver = receiving_stream();
    receive(receiver, {{0, 10, 0}});
    EXPECT_EQ(refused(receiver, SegmentPlan{{0, 10, 0}}), ErrorCode::PeerProtocol);
    auto empty = receiving_stream();
    EXPECT_TRUE(empty.on_segment_started({{0, 0, 0}}));
    EXPECT_EQ(refused(empty, SegmentPlan{{0, 0, 0}}), ErrorCode::PeerProtocol);
}

TEST(StreamReceiver, RefusesBytesThatComeTwiceAndAfterItWasWhole) {
    auto receiver = receiving_stream();
    receive(receiver, {{0, 0, 5}});
    EXPECT_EQ(refused(receiver, SegmentPlan{{0, 4, 5}}), ErrorCode::PeerProtocol);
    auto whole = receiving_stream();
    receive(whole, {{0, 0, 0}});
    EXPECT_EQ(refused(whole, SegmentPlan{{0, 0, 1}}), ErrorCode::PeerProtocol);
}

TEST(StreamReceiver, RefusesMoreThanAllSizesMayBe) {
    auto receiver = receiving_stream();
    EXPECT_EQ(refused(receiver, SegmentPlan{{0, kMaxTotalBytes, 1}}), ErrorCode::LimitExceeded);
}

TEST(StreamReceiver, RefusesHolesAndSegmentsOfSeveralPieces) {
    auto receiver = receiving_stream();
    EXPECT_EQ(refused(receiver, Hole{.index = 0, .offset = 0, .length = kMiB}),
              ErrorCode::PeerProtocol);
    const auto manifest = manifest_of({stream("s"), file("b", 3)});
    auto both = offered_stream(*manifest);
    ASSERT_TRUE(both.on_control(test::offer_of(*manifest)));
    both.accept(2, {});
    EXPECT_EQ(refused(both, SegmentPlan{{0, 0, 4}, {1, 0, 3}}), ErrorCode::PeerProtocol);
}

TEST(StreamReceiver, FailsWithAnEndThatIsDamaged) {
    auto receiver = receiving_stream();
    ASSERT_TRUE(receiver.on_segment_started({{0, 10, 0}}));
    receiver.on_segment_damaged({{0, 10, 0}});
    const auto failed = test::only<ReceiverEntryFailed>(receiver.take_events());
    ASSERT_EQ(failed.size(), 1U);
    EXPECT_EQ(failed.front().code, ErrorCode::HashMismatch);
}

TEST(StreamReceiver, TakesAnotherEndAfterOneThatWasReset) {
    auto receiver = receiving_stream();
    ASSERT_TRUE(receiver.on_segment_started({{0, 10, 0}}));
    receiver.on_segment_abandoned({{0, 10, 0}});
    receive(receiver, {{0, 0, 10}});
    EXPECT_TRUE(test::told_whole(receiver).empty());
    receive(receiver, {{0, 10, 0}});
    EXPECT_EQ(test::told_whole(receiver), std::vector<std::uint64_t>{0});
}

TEST(StreamReceiver, FailsWhenTheSenderSaysThatItBroke) {
    auto receiver = receiving_stream();
    receive(receiver, {{0, 0, 5}});
    ASSERT_TRUE(receiver.on_control(EntryFailed{.index = 0, .code = ErrorCode::StreamBroken}));
    EXPECT_FALSE(receiver.stream_open());
    EXPECT_TRUE(test::told_whole(receiver).empty());
    EXPECT_TRUE(receiver.complete());
}

struct Sending {
    std::shared_ptr<ManifestTable> manifest = manifest_of({stream("s")});
    Sender sender = test::sending(manifest);

    void grow(std::uint64_t end, bool ended = false) {
        ASSERT_TRUE(manifest->grow_stream(end));
        sender.on_stream_grown(end, ended);
    }
};

TEST(StreamSender, PlansWhatIsThereAndThenItsEnd) {
    Sending side;
    EXPECT_TRUE(test::all_segments(side.sender).empty());
    side.grow(5);
    EXPECT_EQ(test::all_segments(side.sender), (std::vector<SegmentPlan>{{{0, 0, 5}}}));
    side.grow(9 * kMiB, true);
    EXPECT_EQ(test::all_segments(side.sender),
              (std::vector<SegmentPlan>{
                  {{0, 5, 8 * kMiB - 5}}, {{0, 8 * kMiB, kMiB}}, {{0, 9 * kMiB, 0}}}));
    ASSERT_TRUE(side.sender.on_control(Done{.entries = 1, .files = 1, .bytes = 9 * kMiB}));
}

TEST(StreamSender, AnnouncesItByItsVersion) {
    const auto manifest = manifest_of({stream("s")});
    Sender sender(manifest, {.name = "me", .stream = true});
    const auto hello = test::only<Hello>(sender.take_messages());
    ASSERT_EQ(hello.size(), 1U);
    EXPECT_EQ(hello.front().version, kStreamVersion);
}

TEST(StreamSender, EndsAnEmptyOneAtOnce) {
    Sending side;
    side.grow(0, true);
    EXPECT_EQ(test::all_segments(side.sender), (std::vector<SegmentPlan>{{{0, 0, 0}}}));
}

TEST(StreamSender, SendsBytesAgainPieceByPiece) {
    Sending side;
    side.grow(100, true);
    test::all_segments(side.sender);
    ASSERT_TRUE(side.sender.on_control(Resend{.index = 0, .offset = 0, .length = 100}));
    EXPECT_EQ(test::all_segments(side.sender), (std::vector<SegmentPlan>{{{0, 0, 100}}}));
    EXPECT_EQ(refused(side.sender, Resend{.index = 0, .offset = 50, .length = 51}),
              ErrorCode::PeerProtocol);
}

TEST(StreamSender, RefusesAHaveOfIt) {
    auto sender = test::offering(manifest_of({stream("s")}));
    EXPECT_EQ(refused(sender, Have{.index = 0}), ErrorCode::PeerProtocol);
}

TEST(StreamSender, SaysThatItBroke) {
    Sending side;
    side.grow(5);
    side.sender.on_stream_broken();
    const auto failed = test::only<EntryFailed>(side.sender.take_messages());
    ASSERT_EQ(failed.size(), 1U);
    EXPECT_EQ(failed.front().code, ErrorCode::StreamBroken);
    EXPECT_TRUE(test::all_segments(side.sender).empty());
}

} // namespace
} // namespace thru::test
