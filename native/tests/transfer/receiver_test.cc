#include "transfer/receiver.h"

#include "transfer/manifests.h"

namespace thru {
namespace {

using test::file;
using test::folder;
using test::manifest_of;

constexpr std::uint64_t kMiB = 1 << 20;

Bytes encoded(const ManifestTable &manifest) {
    Bytes bytes;
    ManifestEncoder encoder;
    for (std::size_t index = 0; index < manifest.size(); ++index) {
        encoder.add(manifest.entry(index), bytes);
    }
    encoder.finish(bytes);
    return bytes;
}

Offer offer_of(const ManifestTable &manifest) {
    return {.files = manifest.files(), .folders = manifest.folders(), .bytes = manifest.bytes()};
}

void offer(Receiver &receiver, const ManifestTable &manifest) {
    EXPECT_TRUE(receiver.on_control(Hello{.name = "you"}).has_value());
    EXPECT_TRUE(receiver.on_manifest_bytes(encoded(manifest)).has_value());
    EXPECT_TRUE(receiver.on_control(offer_of(manifest)).has_value());
    receiver.take_messages();
    receiver.take_events();
}

/// A receiver that has asked for everything.
Receiver receiving(const ManifestTable &manifest) {
    Receiver receiver("me");
    offer(receiver, manifest);
    receiver.accept();
    receiver.take_messages();
    return receiver;
}

template <class Kind, class Any> std::vector<Kind> only(const std::vector<Any> &all) {
    std::vector<Kind> found;
    for (const Any &one : all) {
        if (const Kind *match = std::get_if<Kind>(&one)) {
            found.push_back(*match);
        }
    }
    return found;
}

void receive(Receiver &receiver, const SegmentPlan &plan, std::uint64_t renamed = 0) {
    ASSERT_TRUE(receiver.on_segment_started(plan).has_value());
    receiver.on_segment_written(plan, renamed);
}

ErrorCode refused(Receiver &receiver, const SegmentPlan &plan) {
    const auto result = receiver.on_segment_started(plan);
    EXPECT_FALSE(result.has_value());
    return result ? ErrorCode::Internal : result.error().code;
}

TEST(Receiver, IsOfferedTheManifestOnceBothStreamsAgree) {
    const auto manifest = manifest_of({folder("a"), file("a/b", 7)});
    Receiver receiver("me");
    EXPECT_TRUE(receiver.on_manifest_bytes(encoded(*manifest)));
    EXPECT_TRUE(receiver.on_control(Hello{.name = "you"}));
    EXPECT_TRUE(only<ReceiverOffered>(receiver.take_events()).empty());
    EXPECT_TRUE(receiver.on_control(offer_of(*manifest)));
    EXPECT_EQ(only<ReceiverOffered>(receiver.take_events()).size(), 1u);
    EXPECT_EQ(receiver.manifest()->entry(1), manifest->entry(1));
    EXPECT_EQ(only<Hello>(receiver.take_messages()).size(), 1u);
}

TEST(Receiver, WaitsForTheManifestWhenTheOfferIsFirst) {
    const auto manifest = manifest_of({file("b", 7)});
    const Bytes bytes = encoded(*manifest);
    Receiver receiver("me");
    EXPECT_TRUE(receiver.on_control(Hello{}));
    EXPECT_TRUE(receiver.on_control(offer_of(*manifest)));
    for (const std::uint8_t byte : bytes) {
        EXPECT_TRUE(only<ReceiverOffered>(receiver.take_events()).empty());
        EXPECT_TRUE(receiver.on_manifest_bytes({&byte, 1}));
    }
    EXPECT_EQ(only<ReceiverOffered>(receiver.take_events()).size(), 1u);
}

TEST(Receiver, RefusesAnOfferThatDiffersFromTheManifest) {
    const auto manifest = manifest_of({file("b", 7)});
    for (const Offer &wrong : {Offer{2, 0, 7}, Offer{1, 1, 7}, Offer{1, 0, 8}}) {
        Receiver receiver("me");
        EXPECT_TRUE(receiver.on_control(Hello{}));
        EXPECT_TRUE(receiver.on_manifest_bytes(encoded(*manifest)));
        EXPECT_EQ(receiver.on_control(wrong).error().code, ErrorCode::PeerProtocol);
    }
}

TEST(Receiver, CountsWholeFilesAndFinishes) {
    const auto manifest = manifest_of({file("a", 3), file("b", 0), folder("c")});
    auto receiver = receiving(*manifest);
    receive(receiver, {{0, 0, 3}, {1, 0, 0}}, 1);
    EXPECT_EQ(receiver.files(), 2u);
    EXPECT_EQ(receiver.bytes(), 3u);
    const auto messages = receiver.take_messages();
    ASSERT_EQ(messages.size(), 1u);
    const Done done = std::get<Done>(messages[0]);
    EXPECT_EQ(done.files, 2u);
    EXPECT_EQ(done.bytes, 3u);
    EXPECT_EQ(done.problems, 0u);
    EXPECT_EQ(done.renamed, 1u);
    EXPECT_EQ(only<ReceiverFinished>(receiver.take_events()).size(), 1u);
    EXPECT_TRUE(receiver.on_control(Bye{}));
    EXPECT_EQ(only<ReceiverReleased>(receiver.take_events()).size(), 1u);
}

TEST(Receiver, IsDoneAtOnceWhenThereAreNoFiles) {
    Receiver receiver("me");
    offer(receiver, *manifest_of({folder("a"), folder("b")}));
    receiver.on_entry_failed(1, ErrorCode::TargetNotWritable);
    receiver.accept();
    const auto messages = receiver.take_messages();
    ASSERT_EQ(messages.size(), 3u);
    EXPECT_EQ(std::get<EntryFailed>(messages[0]).index, 1u);
    EXPECT_TRUE(std::holds_alternative<Select>(messages[1]));
    EXPECT_EQ(std::get<Done>(messages[2]).problems, 1u);
}

TEST(Receiver, AsksToNameAFileOfSeveralSegmentsOnce) {
    const auto manifest = manifest_of({file("large", 20 * kMiB)});
    auto receiver = receiving(*manifest);
    receive(receiver, {{0, 16 * kMiB, 4 * kMiB}});
    receive(receiver, {{0, 0, 8 * kMiB}});
    EXPECT_TRUE(receiver.take_events().empty());
    EXPECT_EQ(receiver.bytes(), 12 * kMiB);
    receive(receiver, {{0, 8 * kMiB, 8 * kMiB}});
    const auto whole = only<ReceiverFileWhole>(receiver.take_events());
    ASSERT_EQ(whole.size(), 1u);
    EXPECT_EQ(receiver.files(), 0u);
    receiver.on_file_named(0, true);
    const auto done = only<Done>(receiver.take_messages());
    ASSERT_EQ(done.size(), 1u);
    EXPECT_EQ(done[0].files, 1u);
    EXPECT_EQ(done[0].renamed, 1u);
}

TEST(Receiver, TellsDurableCountsOnceAndOnlyWhenTheyChange) {
    const auto manifest = manifest_of({file("a", 3), file("b", 4), file("c", 5)});
    auto receiver = receiving(*manifest);
    EXPECT_TRUE(receiver.take_messages().empty());
    receive(receiver, {{0, 0, 3}});
    receive(receiver, {{1, 0, 4}});
    const auto messages = receiver.take_messages();
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(std::get<Durable>(messages[0]).files, 2u);
    EXPECT_EQ(std::get<Durable>(messages[0]).bytes, 7u);
    EXPECT_TRUE(receiver.take_messages().empty());
}

TEST(Receiver, RefusesDataThatItDoesNotExpect) {
    const auto manifest = manifest_of({file("large", 20 * kMiB), folder("b"), file("c", 3)});
    const std::vector<SegmentPlan> wrong = {
        {{3, 0, 1}},                 // no such entry
        {{1, 0, 0}},                 // a folder
        {{2, 0, 4}},                 // too long
        {{2, 4, 0}},                 // beyond the end
        {{2, 1, ~std::uint64_t{0}}}, // wraps around
        {{2, 1, 0}},                 // nothing
        {{0, 0, 0}},                 // nothing of a large one
        {{0, 0, 1}, {0, 0, 2}},      // overlaps itself
        {{2, 0, 3}, {2, 0, 3}},      // twice
    };
    for (const SegmentPlan &plan : wrong) {
        auto receiver = receiving(*manifest);
        EXPECT_EQ(refused(receiver, plan), ErrorCode::PeerProtocol);
    }
    Receiver early("me");
    offer(early, *manifest);
    EXPECT_EQ(refused(early, {{2, 0, 3}}), ErrorCode::PeerProtocol);
}

TEST(Receiver, RefusesWhatItHasOrIsGettingAlready) {
    const auto manifest = manifest_of({file("a", 3), file("b", 100), file("c", 1)});
    auto receiver = receiving(*manifest);
    ASSERT_TRUE(receiver.on_segment_started({{0, 0, 3}}));
    EXPECT_EQ(refused(receiver, {{0, 0, 3}}), ErrorCode::PeerProtocol);
    receiver.on_segment_written({{0, 0, 3}}, 0);
    EXPECT_EQ(refused(receiver, {{0, 0, 3}}), ErrorCode::PeerProtocol);
    receive(receiver, {{1, 0, 50}});
    EXPECT_EQ(refused(receiver, {{1, 49, 51}}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(receiver, {{1, 0, 100}}), ErrorCode::PeerProtocol);
    receive(receiver, {{1, 50, 50}});
    EXPECT_EQ(refused(receiver, {{1, 50, 50}}), ErrorCode::PeerProtocol);
}

TEST(Receiver, TakesAbandonedPiecesAgainInAnyShape) {
    const auto manifest = manifest_of({file("a", 3), file("b", 100)});
    auto receiver = receiving(*manifest);
    const SegmentPlan plan = {{0, 0, 3}, {1, 0, 60}};
    ASSERT_TRUE(receiver.on_segment_started(plan));
    receiver.on_segment_abandoned(plan);
    receive(receiver, {{0, 0, 3}});
    receive(receiver, {{1, 0, 100}});
    const auto done = only<Done>(receiver.take_messages());
    ASSERT_EQ(done.size(), 1u);
    EXPECT_EQ(done[0].bytes, 103u);
}

TEST(Receiver, GoesOnWithoutWhatTheSenderCannotRead) {
    const auto manifest = manifest_of({file("a", 100), file("b", 5)});
    auto receiver = receiving(*manifest);
    receive(receiver, {{0, 0, 60}});
    EXPECT_EQ(receiver.bytes(), 60u);
    EXPECT_TRUE(receiver.on_control(EntryFailed{0, ErrorCode::SourceChanged}));
    EXPECT_TRUE(receiver.on_control(EntryFailed{0, ErrorCode::SourceChanged}));
    EXPECT_EQ(receiver.bytes(), 0u);
    receive(receiver, {{0, 60, 40}}); // was on its way
    receive(receiver, {{1, 0, 5}});
    const auto failed = only<ReceiverEntryFailed>(receiver.take_events());
    ASSERT_EQ(failed.size(), 1u);
    EXPECT_EQ(failed[0].code, ErrorCode::SourceChanged);
    const auto messages = receiver.take_messages();
    EXPECT_TRUE(only<EntryFailed>(messages).empty());
    const auto done = only<Done>(messages);
    ASSERT_EQ(done.size(), 1u);
    EXPECT_EQ(done[0].files, 1u);
    EXPECT_EQ(done[0].bytes, 5u);
    EXPECT_EQ(done[0].problems, 1u);
}

TEST(Receiver, FinishesWhenTheLastFileFails) {
    const auto manifest = manifest_of({file("a", 1)});
    auto receiver = receiving(*manifest);
    EXPECT_TRUE(receiver.on_control(EntryFailed{0, ErrorCode::PathUnreadable}));
    EXPECT_EQ(only<Done>(receiver.take_messages()).size(), 1u);
}

TEST(Receiver, TellsTheSenderWhatItCannotWriteOnce) {
    const auto manifest = manifest_of({file("a", 1), file("b", 100), file("c", 1)});
    auto receiver = receiving(*manifest);
    const SegmentPlan plan = {{0, 0, 1}, {1, 0, 50}};
    ASSERT_TRUE(receiver.on_segment_started(plan));
    receiver.on_entry_failed(0, ErrorCode::TargetNotWritable);
    receiver.on_entry_failed(0, ErrorCode::TargetNotWritable);
    receiver.on_segment_written(plan, 0);
    receive(receiver, {{1, 50, 50}});
    receiver.on_entry_failed(1, ErrorCode::TargetNotWritable); // could not be named
    receiver.on_file_named(1, false);
    receive(receiver, {{2, 0, 1}});
    const auto messages = receiver.take_messages();
    EXPECT_EQ(only<EntryFailed>(messages).size(), 2u);
    const auto done = only<Done>(messages);
    ASSERT_EQ(done.size(), 1u);
    EXPECT_EQ(done[0].files, 1u);
    EXPECT_EQ(done[0].bytes, 1u);
    EXPECT_EQ(done[0].problems, 2u);
}

TEST(Receiver, KeepsWhatItHasWhenTheSenderClaimsItFailed) {
    const auto manifest = manifest_of({file("a", 1), file("b", 1)});
    auto receiver = receiving(*manifest);
    receive(receiver, {{0, 0, 1}});
    EXPECT_TRUE(receiver.on_control(EntryFailed{0, ErrorCode::SourceChanged}));
    receive(receiver, {{1, 0, 1}});
    EXPECT_EQ(only<Done>(receiver.take_messages()).at(0).files, 2u);
}

TEST(Receiver, BoundsTheGapsThatASenderCanLeave) {
    constexpr std::uint64_t kGaps = 65'536;
    const auto manifest = manifest_of({file("sparse", 4 * kGaps)});
    auto receiver = receiving(*manifest);
    for (std::uint64_t gap = 0; gap < kGaps; ++gap) {
        ASSERT_TRUE(receiver.on_segment_started({{0, 2 * gap, 1}}));
    }
    EXPECT_EQ(refused(receiver, {{0, 2 * kGaps, 1}}), ErrorCode::PeerProtocol);
}

TEST(Receiver, EndsWithTheSendersReason) {
    const auto manifest = manifest_of({file("a", 1)});
    auto receiver = receiving(*manifest);
    EXPECT_EQ(receiver.on_control(Bye{ErrorCode::Stopped}).error().code, ErrorCode::Stopped);
    EXPECT_EQ(receiver.on_control(Bye{}).error().code, ErrorCode::PeerProtocol);
}

TEST(Receiver, RefusesMessagesOutOfPlace) {
    Receiver receiver("me");
    const auto code = [&receiver](const ControlMessage &message) {
        const auto result = receiver.on_control(message);
        return result ? ErrorCode::Internal : result.error().code;
    };
    EXPECT_EQ(code(Offer{}), ErrorCode::PeerProtocol);
    EXPECT_EQ(code(Hello{.version = 7}), ErrorCode::PeerVersion);
    EXPECT_TRUE(receiver.on_control(Hello{}));
    EXPECT_EQ(code(Hello{}), ErrorCode::PeerProtocol);
    EXPECT_EQ(code(Select{}), ErrorCode::PeerProtocol);
    EXPECT_EQ(code(Durable{}), ErrorCode::PeerProtocol);
    EXPECT_EQ(code(Done{}), ErrorCode::PeerProtocol);
    EXPECT_EQ(code(EntryFailed{}), ErrorCode::PeerProtocol);
    EXPECT_TRUE(receiver.on_control(Offer{}));
    EXPECT_EQ(code(Offer{}), ErrorCode::PeerProtocol);
}

} // namespace
} // namespace thru
