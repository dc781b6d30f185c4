// Senders that violate the protocol.
#include <limits>

#include "transfer/receiving.h"

namespace thru::test {
namespace {

constexpr auto kHuge = std::numeric_limits<std::uint64_t>::max();

TEST(Receiver, RefusesAnOfferThatDiffersFromTheManifest) {
    const auto manifest = manifest_of({file("b", 7)});
    for (const Offer &wrong :
         {Offer{2, 0, 0, 7}, Offer{1, 1, 0, 7}, Offer{1, 0, 1, 7}, Offer{1, 0, 0, 8}}) {
        auto receiver = test::new_receiver();
        EXPECT_TRUE(receiver.on_control(Hello{}));
        EXPECT_TRUE(receiver.on_manifest_bytes(test::encoded(*manifest)));
        EXPECT_EQ(refused(receiver, wrong), ErrorCode::PeerProtocol);
    }
}

TEST(Receiver, BoundsHowOftenItIsReportedWhatIsLeftOut) {
    auto receiver = test::new_receiver();
    ASSERT_TRUE(receiver.on_control(Hello{}));
    for (std::uint64_t told = 0; told < kMaxLeftOutMessages; ++told) {
        ASSERT_TRUE(receiver.on_control(LeftOut{}));
    }
    EXPECT_EQ(refused(receiver, LeftOut{}), ErrorCode::PeerProtocol);
}

TEST(Receiver, RefusesASecondCheckpointBeforeRequest) {
    auto receiver = test::offered(*manifest_of({file("a", 1)}));
    const auto more = test::encoded(*manifest_of({file("a", 1), file("b", 2)}), 1);
    EXPECT_EQ(receiver.on_manifest_bytes(more).error().code, ErrorCode::PeerProtocol);
}

TEST(Receiver, RefusesToBeToldTwiceOrTooLateThatItHasToBeApproved) {
    auto receiver = test::new_receiver();
    EXPECT_TRUE(receiver.on_control(Hello{}));
    EXPECT_TRUE(receiver.on_control(ApprovalRequested{}));
    EXPECT_EQ(refused(receiver, ApprovalRequested{}), ErrorCode::PeerProtocol);
    auto late = test::offered(*manifest_of({file("a", 1)}));
    EXPECT_EQ(refused(late, ApprovalRequested{}), ErrorCode::PeerProtocol);
}

TEST(Receiver, RefusesASecondOriginAndOneAfterTheOffer) {
    auto receiver = test::new_receiver();
    EXPECT_TRUE(receiver.on_control(Hello{}));
    EXPECT_TRUE(receiver.on_control(Origin{}));
    EXPECT_EQ(receiver.on_control(Origin{}).error().code, ErrorCode::PeerProtocol);
    auto late = test::offered(*manifest_of({file("a", 1)}));
    EXPECT_EQ(late.on_control(Origin{}).error().code, ErrorCode::PeerProtocol);
}

TEST(Receiver, RefusesDataBeforeItSelected) { // WIRE-05
    auto early = test::new_receiver();
    EXPECT_EQ(refused(early, SegmentPlan{{0, 0, 1}}), ErrorCode::PeerProtocol);
    auto shown = test::offered(*manifest_of({test::sparse_file("a", 3)}));
    EXPECT_EQ(refused(shown, SegmentPlan{{0, 0, 3}}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(shown, Hole{.index = 0, .offset = 0, .length = 3}), ErrorCode::PeerProtocol);
}

TEST(Receiver, RefusesDataAfterItIsDone) { // WIRE-05
    auto receiver = receiving(*manifest_of({file("a", 3)}));
    receive(receiver, {{0, 0, 3}});
    name_whole(receiver);
    receiver.on_all_durable();
    EXPECT_EQ(refused(receiver, SegmentPlan{{0, 0, 3}}), ErrorCode::PeerProtocol);
}

TEST(Receiver, RefusesDataBeyondTheEnd) { // WIRE-06
    for (const SegmentPlan &plan :
         std::vector<SegmentPlan>{{{0, 0, 4}}, {{0, 4, 0}}, {{0, 3, 1}}, {{0, 1, kHuge}}}) {
        auto receiver = receiving(*manifest_of({file("a", 3)}));
        EXPECT_EQ(refused(receiver, plan), ErrorCode::PeerProtocol);
    }
}

TEST(Receiver, RefusesDataOfNoFile) { // WIRE-07
    const auto manifest =
        manifest_of({folder("a"), test::link("b", "a"), test::gone(), file("c", 0), file("d", 1)});
    for (const std::uint64_t index : {0ULL, 1ULL, 2ULL, 5ULL, 1'000'000ULL, 1ULL << 61}) {
        auto receiver = receiving(*manifest);
        EXPECT_EQ(refused(receiver, SegmentPlan{{index, 0, 0}}), ErrorCode::PeerProtocol) << index;
    }
    auto half = test::offered(*manifest);
    half.accept(4, {});
    EXPECT_EQ(refused(half, SegmentPlan{{4, 0, 1}}), ErrorCode::PeerProtocol);
}

TEST(Receiver, RefusesWhatItHasOrIsGettingAlready) { // WIRE-06, WIRE-07
    const auto manifest = manifest_of({file("a", 3), file("b", 100), file("c", 1)});
    auto receiver = receiving(*manifest);
    ASSERT_TRUE(receiver.on_segment_started({{0, 0, 3}}));
    EXPECT_EQ(refused(receiver, SegmentPlan{{0, 0, 3}}), ErrorCode::PeerProtocol);
    receiver.on_segment_written({{0, 0, 3}});
    EXPECT_EQ(refused(receiver, SegmentPlan{{0, 0, 3}}), ErrorCode::PeerProtocol);
    name_whole(receiver);
    EXPECT_EQ(refused(receiver, SegmentPlan{{0, 0, 3}}), ErrorCode::PeerProtocol);
    receive(receiver, {{1, 0, 50}});
    EXPECT_EQ(refused(receiver, SegmentPlan{{1, 49, 51}}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(receiver, SegmentPlan{{1, 0, 100}}), ErrorCode::PeerProtocol);
    receive(receiver, {{1, 50, 50}});
    EXPECT_EQ(refused(receiver, SegmentPlan{{1, 50, 50}}), ErrorCode::PeerProtocol);
}

TEST(Receiver, RefusesDataThatItDidNotWantOrHad) { // WIRE-07
    auto receiver = receiving(*manifest_of({file("a", 3), file("b", 3), file("c", 3)}),
                              {.present = {{.first = 0, .count = 1}},
                               .unwanted = {{.first = 1, .count = 1}},
                               .have = {{.index = 2, .offset = 2}}});
    EXPECT_EQ(refused(receiver, SegmentPlan{{0, 0, 3}}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(receiver, SegmentPlan{{1, 0, 3}}), ErrorCode::PeerProtocol);
    EXPECT_TRUE(receiver.on_control(Confirm{2}));
    EXPECT_EQ(refused(receiver, SegmentPlan{{2, 1, 2}}), ErrorCode::PeerProtocol);
}

TEST(Receiver, RefusesSegmentsThatAreNeitherOnePieceNorWholeFiles) {
    const auto manifest = manifest_of({file("a", 3), file("large", 20 * kMiB), file("c", 0)});
    for (const SegmentPlan &plan : std::vector<SegmentPlan>{
             {{0, 0, 3}, {1, 0, kMiB}}, {{0, 0, 2}, {2, 0, 0}}, {{0, 1, 2}, {2, 0, 0}}}) {
        auto receiver = receiving(*manifest);
        EXPECT_EQ(refused(receiver, plan), ErrorCode::PeerProtocol);
    }
    for (const SegmentPlan &plan : std::vector<SegmentPlan>{{{0, 1, 0}}, {{1, 0, 0}}}) {
        auto receiver = receiving(*manifest);
        EXPECT_EQ(refused(receiver, plan), ErrorCode::PeerProtocol); // parts without bytes
    }
}

TEST(Receiver, BoundsTheGapsThatASenderCanLeave) { // WIRE-08
    constexpr std::uint64_t kGaps = 65'536;
    auto receiver = receiving(*manifest_of({file("gaps", 4 * kGaps)}));
    for (std::uint64_t gap = 0; gap < kGaps; ++gap) {
        ASSERT_TRUE(receiver.on_segment_started({{0, 2 * gap, 1}}));
    }
    EXPECT_EQ(refused(receiver, SegmentPlan{{0, 2 * kGaps, 1}}), ErrorCode::PeerProtocol);
}

TEST(Receiver, BoundsTheFilesThatASenderCanBegin) { // WIRE-08
    constexpr std::uint64_t kFiles = 65'536;
    auto receiver = receiving(*test::files_of(kFiles + 1, 9));
    for (std::uint64_t index = 0; index < kFiles; ++index) {
        receive(receiver, {{index, 0, 1}});
    }
    EXPECT_EQ(refused(receiver, SegmentPlan{{kFiles, 0, 1}}), ErrorCode::PeerProtocol);
}

TEST(Receiver, BoundsWhatIsRememberedOfDamagedSegments) { // WIRE-09
    constexpr std::uint64_t kPieces = 65'536;
    auto receiver = receiving(*manifest_of({file("a", kPieces + 1)}));
    for (std::uint64_t offset = 0; offset <= kPieces; ++offset) {
        ASSERT_TRUE(receiver.on_segment_started({{0, offset, 1}}));
        receiver.on_segment_damaged({{0, offset, 1}});
        receiver.take_messages();
    }
    EXPECT_EQ(test::only<ReceiverEntryFailed>(receiver.take_events()).size(), 1u);
}

TEST(Receiver, RefusesHolesOfFilesWithoutHolesAndZerosTwice) { // WIRE-06
    const auto size = kMinHoleBytes + 4;
    auto receiver =
        receiving(*manifest_of({file("a", 9), test::sparse_file("b", size), folder("c")}));
    EXPECT_EQ(refused(receiver, Hole{.index = 0, .offset = 0, .length = 9}),
              ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(receiver, Hole{.index = 1, .offset = 1, .length = size}),
              ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(receiver, Hole{.index = 2, .offset = 0, .length = 1}),
              ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(receiver, Hole{.index = 9, .offset = 0, .length = 1}),
              ErrorCode::PeerProtocol);
    EXPECT_TRUE(receiver.on_control(Hole{.index = 1, .offset = 0, .length = kMinHoleBytes}));
    EXPECT_EQ(refused(receiver, Hole{.index = 1, .offset = 4, .length = kMinHoleBytes}),
              ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(receiver, SegmentPlan{{1, 4, 5}}), ErrorCode::PeerProtocol);
}

TEST(Receiver, RefusesAnswersThatNobodyWaitsFor) { // WIRE-14
    auto receiver = receiving(*manifest_of({file("a", 9), file("b", 9), folder("c")}),
                              {.have = {{.index = 0, .offset = 4}}});
    EXPECT_EQ(refused(receiver, Confirm{1}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(receiver, Restart{1}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(receiver, Confirm{2}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(receiver, Restart{3}), ErrorCode::PeerProtocol);
    EXPECT_TRUE(receiver.on_control(Confirm{0}));
    EXPECT_EQ(refused(receiver, Confirm{0}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(receiver, Restart{0}), ErrorCode::PeerProtocol);
}

TEST(Receiver, RefusesComparisonsOfWhatItDidNotClaim) { // WIRE-14
    auto receiver =
        receiving(*manifest_of({file("a", 9), file("b", 9)}),
                  {.have = {{.index = 0, .offset = 4}},
                   .extents = {{0, {{.length = 3, .hash = {1}}, {.length = 1, .hash = {2}}}}}});
    EXPECT_EQ(refused(receiver, Compare{.index = 2}), ErrorCode::PeerProtocol);
    EXPECT_TRUE(receiver.on_control(Compare{.index = 0}));
    EXPECT_EQ(refused(receiver, Compare{.index = 0}), ErrorCode::PeerProtocol);
    auto other = receiving(*manifest_of({file("a", 9)}), {.have = {{.index = 0, .offset = 4}}});
    EXPECT_TRUE(other.on_control(Compare{.index = 0}));
    EXPECT_TRUE(other.on_control(Compare{.index = 0}));
    EXPECT_EQ(refused(other, Compare{.index = 0}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(other, Confirm{.index = 0, .different = {{.offset = 3, .length = 2}}}),
              ErrorCode::PeerProtocol);
}

TEST(Receiver, RefusesChunksThatItDidNotAskForOrThatCannotBe) {
    constexpr std::uint64_t kSize = 1 << 20;
    const auto manifest = manifest_of({file("a", kSize), file("b", kSize)});
    const auto listing = [&] {
        auto receiver = test::offered(*manifest);
        receiver.ask_for_chunks({.lists = {0}, .blocks = {}, .fetches = {}});
        return receiver;
    };
    const auto chunks = [](std::uint64_t offset, std::uint64_t length) {
        return Chunks{.index = 0, .offset = offset, .runs = {{.length = length, .hash = {1}}}};
    };
    for (const Chunks &wrong :
         {Chunks{.index = 1}, chunks(1, 8192), chunks(0, 2047), chunks(0, 65'537)}) {
        auto receiver = listing();
        EXPECT_EQ(refused(receiver, wrong), ErrorCode::PeerProtocol);
    }
    auto receiver = listing();
    for (std::uint64_t offset = 0; offset < kSize; offset += 65'536) {
        EXPECT_TRUE(receiver.on_control(chunks(offset, 65'536)));
        const auto events = receiver.take_events();
        ASSERT_EQ(events.size(), 1u);
        const auto &answer = std::get<ReceiverChunks::Answer>(events[0]);
        EXPECT_EQ(answer.chunks.offset, offset);
        EXPECT_EQ(answer.last, offset + 65'536 == kSize);
    }
    EXPECT_EQ(refused(receiver, chunks(kSize, 8192)), ErrorCode::PeerProtocol);
    auto beyond = listing();
    EXPECT_TRUE(beyond.on_control(chunks(0, 65'536)));
    EXPECT_EQ(refused(beyond, chunks(0, 65'536)), ErrorCode::PeerProtocol);
    auto none = listing();
    EXPECT_TRUE(none.on_control(Chunks{.index = 0}));
    EXPECT_EQ(refused(none, Chunks{.index = 0}), ErrorCode::PeerProtocol);
}

TEST(Receiver, RefusesBlocksThatItDidNotAskFor) {
    constexpr std::uint64_t kSize = 1 << 20;
    const auto manifest = manifest_of({file("a", kSize), file("b", kSize)});
    const auto asking = [&] {
        auto receiver = test::offered(*manifest);
        receiver.ask_for_chunks(
            {.lists = {0, 1}, .blocks = {{0, {4096, 8192}}, {1, {0, 4097}}}, .fetches = {}});
        return receiver;
    };
    const std::vector<ShortHash> two(2);
    for (const FileBlocks &wrong :
         {FileBlocks{1, 0, two}, FileBlocks{0, 0, two}, FileBlocks{0, 4096, {two[0]}}}) {
        auto receiver = asking();
        EXPECT_EQ(refused(receiver, wrong), ErrorCode::PeerProtocol);
    }
    auto receiver = asking();
    EXPECT_TRUE(receiver.on_control(FileBlocks{0, 4096, two}));
    EXPECT_TRUE(receiver.on_control(FileBlocks{1, 0, {}}));
    EXPECT_EQ(receiver.take_events().size(), 2u);
    EXPECT_EQ(refused(receiver, FileBlocks{1, 0, two}), ErrorCode::PeerProtocol);
}

TEST(Receiver, RefusesBytesThatItDidNotFetch) {
    constexpr std::uint64_t kSize = 1 << 20;
    const auto manifest = manifest_of({file("a", kSize), file("b", kSize)});
    const auto fetching = [&] {
        auto receiver = test::offered(*manifest);
        receiver.ask_for_chunks({.lists = {0},
                                 .blocks = {},
                                 .fetches = {{0, {4096, 4}}, {0, {8192, 4}}, {1, {4096, 4}}}});
        return receiver;
    };
    for (const Fetched &wrong : {Fetched{1, 4096, "ab"}, Fetched{0, 4097, "ab"},
                                 Fetched{0, 8192, "ab"}, Fetched{0, 4096, "abcde"}}) {
        auto receiver = fetching();
        EXPECT_EQ(refused(receiver, wrong), ErrorCode::PeerProtocol);
    }
    auto receiver = fetching();
    for (const Fetched &right :
         {Fetched{0, 4096, "abc"}, Fetched{0, 4099, "d"}, Fetched{0, 8192, "a"},
          Fetched{0, 8193, ""}, Fetched{1, 4096, ""}}) {
        EXPECT_TRUE(receiver.on_control(right));
        const auto events = receiver.take_events();
        ASSERT_EQ(events.size(), 1u);
        EXPECT_EQ(std::get<Fetched>(std::get<RangeAnswer>(events[0])).bytes, right.bytes);
    }
    EXPECT_EQ(refused(receiver, Fetched{1, 4096, "a"}), ErrorCode::PeerProtocol);
}

TEST(Receiver, RefusesPartsOfAnAnswerThatItsHashesDoNotCover) { // WIRE-14
    const std::vector<Extents::Run> runs(2 * kMaxDifferent, {.length = 4, .hash = {1}});
    auto receiver =
        receiving(*manifest_of({file("a", 20'000), file("b", 9)}),
                  {.have = {{.index = 0, .offset = runs.size() * 4}}, .extents = {{0, runs}}});
    Confirm part{.index = 0, .more = true};
    for (std::uint64_t at = 0; at < kMaxDifferent; ++at) {
        part.different.push_back({.offset = at * 4, .length = 4});
    }
    EXPECT_EQ(refused(receiver, part), ErrorCode::PeerProtocol) << "no hashes were sent yet";
    auto other =
        receiving(*manifest_of({file("a", 20'000), file("b", 9)}),
                  {.have = {{.index = 0, .offset = runs.size() * 4}}, .extents = {{0, runs}}});
    EXPECT_TRUE(other.on_control(Compare{.index = 0}));
    EXPECT_TRUE(other.on_control(part));
    EXPECT_EQ(refused(other, part), ErrorCode::PeerProtocol) << "out of order";
    part.different.resize(1);
    EXPECT_EQ(refused(other, part), ErrorCode::PeerProtocol) << "too short";
    part.index = 1;
    EXPECT_EQ(refused(other, part), ErrorCode::PeerProtocol);
}

TEST(Receiver, RefusesSourcesAndFailuresOfWhatItDidNotAskFor) {
    const auto manifest = manifest_of({file("a", 9), folder("b"), test::gone(), file("d", 1)});
    auto receiver = test::offered(*manifest);
    receiver.accept(3, {});
    EXPECT_EQ(refused(receiver, Validator{.index = 1}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(receiver, Validator{.index = 3}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(receiver, EntryFailed{2, ErrorCode::DiskIo}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(receiver, EntryFailed{3, ErrorCode::DiskIo}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(receiver, EntryFailed{kHuge, ErrorCode::DiskIo}), ErrorCode::PeerProtocol);
}

TEST(Receiver, RefusesRemovalsThatCannotBe) { // WIRE-16
    auto early = test::new_receiver();
    EXPECT_TRUE(early.on_control(Hello{}));
    EXPECT_EQ(refused(early, Removed{{{.first = 0, .count = 1}}}), ErrorCode::PeerProtocol);
    auto receiver = receiving(*manifest_of({file("a", 9)}));
    EXPECT_EQ(refused(receiver, Removed{{{.first = 0, .count = kMaxManifestEntries + 1}}}),
              ErrorCode::PeerProtocol);
    EXPECT_TRUE(receiver.on_control(Removed{{{.first = 0, .count = kMaxManifestEntries}}}));
}

TEST(Receiver, EndsWithTheSendersReason) { // WIRE-11
    auto receiver = receiving(*manifest_of({file("a", 1)}));
    EXPECT_EQ(refused(receiver, Bye{ErrorCode::Stopped}), ErrorCode::Stopped);
    EXPECT_EQ(refused(receiver, Bye{}), ErrorCode::PeerProtocol);
}

TEST(Receiver, IsNotDoneBecauseTheSenderSaysSo) { // WIRE-10
    auto receiver = receiving(*manifest_of({file("a", 1)}));
    receive(receiver, {{0, 0, 1}});
    name_whole(receiver); // not on the disk yet
    EXPECT_EQ(refused(receiver, Bye{}), ErrorCode::PeerProtocol);
}

TEST(Receiver, RefusesMessagesOutOfPlace) {
    auto receiver = test::new_receiver();
    EXPECT_EQ(refused(receiver, Offer{}), ErrorCode::PeerProtocol);
    EXPECT_EQ(refused(receiver, Hello{.version = 7}), ErrorCode::PeerVersion);
    EXPECT_TRUE(receiver.on_control(Hello{}));
    for (const ControlMessage &message : std::vector<ControlMessage>{
             Hello{},       Request{},   Progress{},   Done{},
             EntryFailed{}, Skip{},      Have{},       Resend{},
             Prioritize{},  Rate{},      Background{}, Confirm{},
             Restart{},     Compare{},   Extents{},    Chunks{},
             ListChunks{},  Validator{}, Hole{},       Pause{.why = Pause::Why::DiskFull}}) {
        EXPECT_EQ(refused(receiver, message), ErrorCode::PeerProtocol) << message.index();
    }
    EXPECT_TRUE(receiver.on_control(Offer{}));
    EXPECT_EQ(refused(receiver, Offer{}), ErrorCode::PeerProtocol);
}

} // namespace
} // namespace thru::test
